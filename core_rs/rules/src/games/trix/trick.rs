//! One trick: who led, what was played, who takes it (X6).

use arrayvec::ArrayVec;

use super::card_set::height;
use crate::card::{Card, Suit};
use crate::seat::Seat;

/// A trick, complete or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Trick {
    pub(super) leader: Seat,
    /// In order of play.
    pub(super) cards: ArrayVec<Card, 4>,
}

impl Trick {
    pub(super) const fn led_by(leader: Seat) -> Trick {
        Trick { leader, cards: ArrayVec::new_const() }
    }

    pub(super) fn is_full(&self) -> bool {
        self.cards.is_full()
    }

    /// The suit that must be followed.
    pub(super) fn suit(&self) -> Option<Suit> {
        self.cards.first().map(|card| card.suit())
    }

    /// Who played what, in order of play.
    pub(super) fn plays(&self) -> impl Iterator<Item = (Seat, Card)> {
        let seats = std::iter::successors(Some(self.leader), |seat| Some(seat.next_of_four()));
        seats.zip(self.cards.iter().copied())
    }

    /// Who played the highest card of the led suit.
    pub(super) fn taker(&self) -> Seat {
        let follows = |card: Card| Some(card.suit()) == self.suit();
        let standing = |&(_, card): &(Seat, Card)| if follows(card) { 1 + height(card.rank()) } else { 0 };
        self.plays().max_by_key(standing).map_or(self.leader, |(seat, _)| seat)
    }
}
