//! The five contracts of a kingdom (X3), and which cards each is about (X4, X7).

use super::card_set::CardSet;
use crate::card::{Card, Rank, Suit};

/// What a deal is played for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Contract {
    /// The king of hearts costs 75.
    KingOfHearts,
    /// Each queen costs 25.
    Queens,
    /// Each diamond costs 10.
    Diamonds,
    /// Each trick costs 15.
    Ltoosh,
    /// Rows are built, and empty hands are rewarded (X10).
    Trix,
}

impl Contract {
    /// All five, in the order in which a time-out takes them (X3).
    pub const ALL: [Contract; 5] =
        [Contract::KingOfHearts, Contract::Queens, Contract::Diamonds, Contract::Ltoosh, Contract::Trix];

    /// Its name in positions; the API puts `CONTRACT_` before it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Contract::KingOfHearts => "KING_OF_HEARTS",
            Contract::Queens => "QUEENS",
            Contract::Diamonds => "DIAMONDS",
            Contract::Ltoosh => "LTOOSH",
            Contract::Trix => "TRIX",
        }
    }

    /// The contract of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Contract> {
        Contract::ALL.into_iter().find(|contract| contract.name() == name)
    }

    /// What the four points of its deal add up to (X7).
    #[must_use]
    pub const fn sum(self) -> i32 {
        match self {
            Contract::KingOfHearts => -75,
            Contract::Queens => -100,
            Contract::Diamonds => -130,
            Contract::Ltoosh => -195,
            Contract::Trix => 500,
        }
    }

    /// The cards that cost their taker something; none where tricks or hands count (X7).
    #[must_use]
    pub const fn penalty_cards(self) -> CardSet {
        match self {
            Contract::KingOfHearts => CardSet::of_card(Card::new(Suit::Hearts, Rank::KING, 0)),
            Contract::Queens => CardSet::QUEENS,
            Contract::Diamonds => CardSet::of_suit(Suit::Diamonds),
            Contract::Ltoosh | Contract::Trix => CardSet::EMPTY,
        }
    }

    /// What each of those costs, doubled ones aside.
    pub(super) const fn penalty(self) -> i32 {
        match self {
            Contract::KingOfHearts => 75,
            Contract::Queens => 25,
            Contract::Diamonds => 10,
            Contract::Ltoosh | Contract::Trix => 0,
        }
    }

    /// The cards that their holders may double (X4).
    #[must_use]
    pub const fn doublable(self) -> CardSet {
        match self {
            Contract::KingOfHearts | Contract::Queens => self.penalty_cards(),
            Contract::Diamonds | Contract::Ltoosh | Contract::Trix => CardSet::EMPTY,
        }
    }
}
