//! The cards on the table, hidden ones included, and nothing else: whose turn it is and what was counted is
//! `state.rs`.

use super::foundations::Foundations;
use super::pair::Pair;
use super::place::Place;
use super::slot::{Row, Slot, Slots};
use super::stack::Stack;
use crate::card::Card;
use crate::deck::DealSource;
use crate::seat::Seat;

/// Every pile. A hand lies with its next card on top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    pub(super) reserves: Pair<Stack>,
    pub(super) hands: Pair<Stack>,
    pub(super) wastes: Pair<Stack>,
    pub(super) houses: Row<Stack>,
    pub(super) foundations: Foundations,
    /// The card turned up from the hand of the seat on turn.
    pub(super) pending: Option<Card>,
}

impl Table {
    /// A table without cards.
    pub(super) fn empty() -> Table {
        Table {
            reserves: Pair::default(),
            hands: Pair::default(),
            wastes: Pair::default(),
            houses: Row(std::array::from_fn(|_| Stack::default())),
            foundations: Foundations::default(),
            pending: None,
        }
    }

    /// Hand `number` laid out: 13 reserve, 4 houses nearest first, 35 hand with the next card first (T2, T3).
    pub(super) fn dealt(deal: &DealSource, number: u32) -> Table {
        let mut table = Table::empty();
        for seat in [Seat::ZERO, Seat::ONE] {
            let deck = deal.deck(number, seat.number(), 2);
            let (reserve, rest) = deck.split_at(13);
            let (houses, hand) = rest.split_at(4);
            table.reserves[seat] = Stack::of(reserve.iter().copied());
            table.hands[seat] = Stack::of(hand.iter().rev().copied());
            let own = Slot::ALL.into_iter().skip(4 * seat.index());
            for (slot, &card) in own.zip(houses) {
                table.houses[slot] = Stack::of([card]);
            }
        }
        table
    }

    /// The houses without cards.
    pub(super) fn empty_houses(&self) -> Slots {
        let mut slots = 0;
        for (at, house) in self.houses.0.iter().enumerate() {
            slots |= u8::from(house.is_empty()) << at;
        }
        Slots(slots)
    }

    /// Whether `seat`, on turn, has got rid of everything (T23).
    pub(super) fn is_rid_of_all(&self, seat: Seat) -> bool {
        self.pending.is_none()
            && self.reserves[seat].is_empty()
            && self.hands[seat].is_empty()
            && self.wastes[seat].is_empty()
    }

    /// What counts against a seat: hand + waste + 2 × reserve (T24).
    pub(super) fn burden(&self, seat: Seat) -> u32 {
        (self.hands[seat].len() + self.wastes[seat].len() + 2 * self.reserves[seat].len()) as u32
    }

    /// The card that a move from `place` takes off first.
    pub(super) fn top(&self, place: Place) -> Option<Card> {
        match place {
            Place::Reserve(seat) => self.reserves[seat].top(),
            Place::Hand(_) => self.pending,
            Place::Waste(seat) => self.wastes[seat].top(),
            Place::House(slot) => self.houses[slot].top(),
            Place::Foundation(slot) => self.foundations.top(slot).map(|(card, _)| card),
        }
    }
}
