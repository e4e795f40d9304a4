//! The cards on the table, hidden ones included, how they are dealt and how they are moved. Nothing else: whose turn it
//! is and what was counted is each game's state.

use super::foundations::Foundations;
use super::pair::Pair;
use super::place::Place;
use super::slot::{Row, Slot, Slots};
use super::stack::Stack;
use crate::card::{Card, Rank};
use crate::deck::DealSource;
use crate::seat::Seat;

/// Every pile. A hand lies with its next card on top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    pub(crate) reserves: Pair<Stack>,
    pub(crate) hands: Pair<Stack>,
    pub(crate) wastes: Pair<Stack>,
    pub(crate) houses: Row<Stack>,
    pub(crate) foundations: Foundations,
    /// The card turned up from the hand of the seat on turn.
    pub(crate) pending: Option<Card>,
}

impl Table {
    /// A table without cards.
    pub(crate) fn empty() -> Table {
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
    pub(crate) fn dealt(deal: &DealSource, number: u32) -> Table {
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
    pub(crate) fn empty_houses(&self) -> Slots {
        let mut slots = 0;
        for (at, house) in self.houses.0.iter().enumerate() {
            slots |= u8::from(house.is_empty()) << at;
        }
        Slots(slots)
    }

    /// Whether `seat`, on turn, has got rid of everything (T23).
    pub(crate) fn is_rid_of_all(&self, seat: Seat) -> bool {
        self.pending.is_none()
            && self.reserves[seat].is_empty()
            && self.hands[seat].is_empty()
            && self.wastes[seat].is_empty()
    }

    /// The personal cards of a seat that is not on turn: each one counts once (H10, H17).
    pub(crate) fn personal(&self, seat: Seat) -> u32 {
        (self.reserves[seat].len() + self.hands[seat].len() + self.wastes[seat].len()) as u32
    }

    /// The card that a move from `place` takes off first.
    pub(crate) fn top(&self, place: Place) -> Option<Card> {
        match place {
            Place::Reserve(seat) => self.reserves[seat].top(),
            Place::Hand(_) => self.pending,
            Place::Waste(seat) => self.wastes[seat].top(),
            Place::House(slot) => self.houses[slot].top(),
            Place::Foundation(slot) => self.foundations.top(slot).map(|(card, _)| card),
        }
    }

    /// The reserve card that turns face up when the top of `place` has left (T14).
    pub(crate) fn turned_up_under(&self, place: Place) -> Option<Card> {
        match place {
            Place::Reserve(seat) => self.reserves[seat].under(1),
            _ => None,
        }
    }

    /// Takes cards off one pile and puts them, innermost first, on another.
    pub(crate) fn carry(&mut self, from: Place, to: Place, cards: &[Card]) {
        match from {
            Place::Reserve(seat) => self.reserves[seat].remove(cards.len()),
            Place::Hand(_) => self.pending = None,
            Place::House(slot) => self.houses[slot].remove(cards.len()),
            // Never a source (T8).
            Place::Waste(_) | Place::Foundation(_) => {}
        }
        for &card in cards {
            match to {
                Place::Reserve(seat) => self.reserves[seat].push(card),
                Place::Waste(seat) => self.wastes[seat].push(card),
                Place::House(slot) => self.houses[slot].push(card),
                Place::Foundation(slot) => self.foundations.push(slot, card),
                // Never a destination (T12).
                Place::Hand(_) => {}
            }
        }
    }

    /// Turns a waste over: it is the hand now, the oldest card next (T20, H7).
    pub(crate) fn turn_over_waste(&mut self, seat: Seat) {
        self.hands[seat] = self.wastes[seat].take_all().turned_over();
    }

    /// Throws the pending card on a waste.
    pub(crate) fn throw_pending(&mut self, seat: Seat) {
        if let Some(card) = self.pending.take() {
            self.wastes[seat].push(card);
        }
    }
}

/// How high a card stands where seats draw for the start: the ace above the king (T5, H2).
pub(crate) const fn ace_high(card: Card) -> u8 {
    match card.rank() {
        Rank::ACE => Rank::KING.number() + 1,
        rank => rank.number(),
    }
}
