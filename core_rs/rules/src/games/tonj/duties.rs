//! The priorities of T15: which move a seat owes before any other.

use crate::card::Card;
use crate::crapette::place::Place;
use crate::crapette::slot::{Slot, Slots};
use crate::crapette::stack::Stack;
use crate::crapette::table::Table;
use crate::seat::Seat;

/// What the seat on turn owes, the foremost first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Duty {
    /// P1: the reserve's top card to one of these foundations.
    Reserve(Slots),
    /// P2: some available card to a foundation.
    Foundation,
    /// P3: the reserve's top card to one of these empty houses, before a card is turned up from the hand; they take
    /// nothing else while the reserve lasts.
    Fill(Slots),
    /// Nothing.
    Clear,
}

impl Duty {
    /// What `seat` owes now (T16: asked anew after every move).
    pub(super) fn of(table: &Table, seat: Seat) -> Duty {
        let foundations = &table.foundations;
        if let Some(pending) = table.pending {
            // While a card is pending it is the only one that P1 and P2 look at (T38).
            if foundations.take(pending) {
                return Duty::Foundation;
            }
        } else {
            if let Some(top) = table.reserves[seat].top().filter(|&top| foundations.take(top)) {
                return Duty::Reserve(foundations.fitting(top));
            }
            if table.houses.0.iter().filter_map(Stack::top).any(|card| foundations.take(card)) {
                return Duty::Foundation;
            }
        }
        if table.reserves[seat].is_empty() {
            return Duty::Clear;
        }
        match table.empty_houses() {
            Slots::NONE => Duty::Clear,
            empty => Duty::Fill(empty),
        }
    }

    /// Whether it allows a placement that the build rules allow.
    pub(super) fn allows(self, from: Place, to: Place) -> bool {
        let to_foundation = matches!(to, Place::Foundation(_));
        let from_reserve = matches!(from, Place::Reserve(_));
        match self {
            Duty::Reserve(_) => from_reserve && to_foundation,
            Duty::Foundation => to_foundation,
            Duty::Fill(empty) => match to {
                Place::House(slot) => from_reserve || !empty.has(slot),
                _ => true,
            },
            Duty::Clear => true,
        }
    }
}

/// The one move that the server executes for a neglected duty (T31), and the first that a run-out clock plays (T34):
/// P1, else the pending card, else the lowest house, to the lowest foundation; for P3 the reserve's top card to the
/// lowest empty house.
pub(super) fn mandated(table: &Table, seat: Seat) -> Option<(Place, Place)> {
    let lowest = |card: Card| table.foundations.fitting(card).lowest().map(Place::Foundation);
    match Duty::of(table, seat) {
        Duty::Reserve(slots) => Some((Place::Reserve(seat), Place::Foundation(slots.lowest()?))),
        Duty::Foundation => match table.pending {
            Some(pending) => Some((Place::Hand(seat), lowest(pending)?)),
            None => Slot::ALL.into_iter().find_map(|slot| {
                let card = table.houses[slot].top()?;
                Some((Place::House(slot), lowest(card)?))
            }),
        },
        Duty::Fill(empty) => Some((Place::Reserve(seat), Place::House(empty.lowest()?))),
        Duty::Clear => None,
    }
}
