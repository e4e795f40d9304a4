//! The house edition's part of the canonical text under a view digest.

use std::fmt::{self, Write};

use crate::{
    card::{Face, suit_letter},
    crapette_digest::write_piles,
    wire::v1,
};

/// Writes the table's lines.
pub(crate) fn write(to: &mut String, view: &v1::TonjHouseView) -> fmt::Result {
    writeln!(to, "game tonj_house")?;
    writeln!(
        to,
        "turn {} seat {} starter {} moves {} passes {}",
        view.turn_number, view.turn_seat, view.starter, view.moves_left, view.passes
    )?;
    write_piles(to, &view.sides, &view.houses, &view.foundations)?;
    write!(to, "retired")?;
    for &suit in &view.retired {
        write!(to, " {}", suit_letter(suit))?;
    }
    writeln!(to)?;
    writeln!(to, "opened {}", Face(view.opened.as_ref()))
}
