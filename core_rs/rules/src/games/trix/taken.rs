//! The cards that were taken in a deal, each with its taker, trick after trick and each trick in order of play.

use arrayvec::ArrayVec;

use super::card_set::CardSet;
use super::trick::Trick;
use crate::card::Card;
use crate::seat::Seat;

/// Taken cards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Taken {
    cards: ArrayVec<(Seat, Card), 52>,
    set: CardSet,
}

impl Taken {
    /// A card more. None is taken twice, so there is room for it.
    pub(super) fn push(&mut self, taker: Seat, card: Card) {
        self.cards.push((taker, card));
        self.set.insert(card);
    }

    /// A trick more.
    pub(super) fn take(&mut self, taker: Seat, trick: &Trick) {
        trick.cards.iter().for_each(|&card| self.push(taker, card));
    }

    /// All of them.
    pub(super) const fn set(&self) -> CardSet {
        self.set
    }

    /// What a seat took.
    pub(super) fn by(&self, seat: Seat) -> impl Iterator<Item = Card> {
        self.cards.iter().filter(move |(taker, _)| *taker == seat).map(|&(_, card)| card)
    }
}
