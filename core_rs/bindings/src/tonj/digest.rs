//! Tonj's part of the canonical text under a view digest.

use std::fmt::{self, Write};

use crate::{
    card::Face,
    wire::v1::{self, tonj_action::Kind},
};

/// Writes the table's lines.
pub(crate) fn write(to: &mut String, view: &v1::TonjView) -> fmt::Result {
    writeln!(to, "game tonj")?;
    writeln!(
        to,
        "hand {} starter {} turn {} seat {} transfers {} claims {}",
        view.hand_number, view.starter, view.turn_number, view.turn_seat, view.transfers_left, view.claims_left
    )?;
    for (seat, side) in view.sides.iter().enumerate() {
        writeln!(
            to,
            "side {seat} reserve {} {} hand {} waste {} {} total {}",
            side.reserve_count,
            Face(side.reserve_top.as_ref()),
            side.hand_count,
            side.waste_count,
            Face(side.waste_top.as_ref()),
            side.total
        )?;
    }
    for (index, house) in view.houses.iter().enumerate() {
        write!(to, "house {index}")?;
        for card in &house.cards {
            write!(to, " {}", Face(Some(card)))?;
        }
        writeln!(to)?;
    }
    for (index, foundation) in view.foundations.iter().enumerate() {
        writeln!(to, "foundation {index} {} {}", foundation.count, Face(foundation.top.as_ref()))?;
    }
    writeln!(to, "pending {}", Face(view.pending.as_ref()))?;
    match &view.claim {
        None => writeln!(to, "claim -"),
        Some(claim) => {
            write!(to, "claim {} ", claim.offender)?;
            write_attempt(to, claim.attempt.as_ref().and_then(|attempt| attempt.kind.as_ref()))?;
            writeln!(to)
        }
    }
}

fn write_attempt(to: &mut String, attempt: Option<&Kind>) -> fmt::Result {
    match attempt {
        None => write!(to, "-"),
        Some(Kind::Reveal(_)) => write!(to, "reveal"),
        Some(Kind::Discard(_)) => write!(to, "discard"),
        Some(Kind::EndTurn(_)) => write!(to, "end_turn"),
        Some(Kind::CallTonj(_)) => write!(to, "call_tonj"),
        Some(Kind::Move(step)) => {
            write!(to, "move ")?;
            write_pile(to, step.from.as_ref())?;
            write!(to, " ")?;
            write_pile(to, step.to.as_ref())?;
            write!(to, " {}", step.count)
        }
    }
}

fn write_pile(to: &mut String, pile: Option<&v1::Pile>) -> fmt::Result {
    let Some(pile) = pile else {
        return write!(to, "-");
    };
    write!(to, "{}/{}/", pile.kind().as_str_name(), pile.seat)?;
    match pile.index {
        None => write!(to, "-"),
        Some(index) => write!(to, "{index}"),
    }
}
