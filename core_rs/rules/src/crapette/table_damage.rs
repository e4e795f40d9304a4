//! Whether a move in a log can have been made at a table: that its cards lie where they are said to come from, and that
//! no foundation gets what it does not take.

use super::place::Place;
use super::table::Table;
use crate::card::Card;
use crate::game::Unfoldable;
use crate::seat::Seat;

/// What a log tells fits, or not.
pub(crate) type Fit = Result<(), Unfoldable>;

/// The cards can have gone from there to there.
pub(crate) fn moved(table: &Table, from: Place, to: Place, cards: &[Card]) -> Fit {
    let held = match from {
        Place::Reserve(seat) => seated(seat).map(|()| table.reserves[seat].top_cards(1))?,
        Place::Hand(_) => table.pending.as_ref().map(std::slice::from_ref),
        Place::House(slot) => table.houses[slot].top_cards(cards.len()),
        Place::Waste(_) | Place::Foundation(_) => None,
    };
    fits(!cards.is_empty() && held == Some(cards), "other cards at the source")?;
    match to {
        Place::Reserve(seat) | Place::Waste(seat) => seated(seat)?,
        Place::House(_) => {}
        Place::Foundation(slot) => {
            let fitting = |card| cards.len() == 1 && table.foundations.fitting(card).has(slot);
            fits(cards.first().is_some_and(|&card| fitting(card)), "a card that its foundation does not take")?;
        }
        Place::Hand(_) => fits(false, "cards moved into a hand")?,
    }
    fits(from != to, "cards moved to where they were")
}

/// A seat of this table.
pub(crate) fn seated(seat: Seat) -> Fit {
    fits(seat == Seat::ZERO || seat == Seat::ONE, "no such seat")
}

/// `fault` unless it holds.
pub(crate) fn fits(holds: bool, fault: &'static str) -> Fit {
    if holds { Ok(()) } else { Err(Unfoldable(fault)) }
}
