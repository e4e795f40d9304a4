//! The part of the canonical text under a view digest that both editions of Tonj have.

use std::fmt::{self, Write};

use crate::{
    card::Face,
    wire::v1::{self, tonj_action::Move, tonj_view as message},
};

/// The lines of sides, houses and foundations.
pub(crate) fn write_piles(
    to: &mut String,
    sides: &[message::Side],
    houses: &[message::House],
    foundations: &[message::Foundation],
) -> fmt::Result {
    for (seat, side) in sides.iter().enumerate() {
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
    for (index, house) in houses.iter().enumerate() {
        write!(to, "house {index}")?;
        for card in &house.cards {
            write!(to, " {}", Face(Some(card)))?;
        }
        writeln!(to)?;
    }
    for (index, foundation) in foundations.iter().enumerate() {
        writeln!(to, "foundation {index} {} {}", foundation.count, Face(foundation.top.as_ref()))?;
    }
    Ok(())
}

/// A move as it was sent.
pub(crate) fn write_move(to: &mut String, step: &Move) -> fmt::Result {
    write!(to, "move ")?;
    write_pile(to, step.from.as_ref())?;
    write!(to, " ")?;
    write_pile(to, step.to.as_ref())?;
    write!(to, " {}", step.count)
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
