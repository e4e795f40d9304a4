//! Tonj's part of the canonical text under a view digest.

use std::fmt::{self, Write};

use crate::{
    card::Face,
    crapette_digest::{write_move, write_piles},
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
    write_piles(to, &view.sides, &view.houses, &view.foundations)?;
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
        Some(Kind::Move(step)) => write_move(to, step),
    }
}
