//! What can happen at a Trix table: past-tense facts, each with all that is needed to fold it. How they are folded is
//! `evolve.rs`. None tells whether a player or the server acted (X11).

use arrayvec::ArrayVec;

use super::card_set::CardSet;
use super::contract::Contract;
use crate::card::Card;
use crate::game::{ClockKind, EndReason};
use crate::seat::Seat;

/// A fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A deal was dealt; its deck derives from the match's seed.
    Dealt {
        /// From 1.
        deal_number: u32,
        /// Whose kingdom it is (X3).
        owner: Seat,
    },
    /// The deal has its contract: chosen, or the kingdom's last (X3).
    ContractChosen {
        /// Which.
        contract: Contract,
    },
    /// A seat answered the doubling question: hidden from everybody else (X5, X16).
    DoubleAnswered {
        /// Whose answer.
        seat: Seat,
        /// The cards that it doubles.
        cards: CardSet,
    },
    /// The doubling window closed (X4).
    DoublesShown {
        /// By seat.
        doubled: [CardSet; 4],
    },
    /// A card was played.
    CardPlayed {
        /// Whose.
        seat: Seat,
        /// Which.
        card: Card,
    },
    /// A seat had no card that fits (X10).
    Passed {
        /// Which.
        seat: Seat,
    },
    /// A trick was taken.
    TrickTaken {
        /// By whom; he leads the next.
        seat: Seat,
    },
    /// A deal ended and was scored.
    DealScored {
        /// Of this deal, by seat.
        points: [i32; 4],
        /// After it, by seat.
        totals: [i32; 4],
    },
    /// A clock ran out, and the server acts for `seat` (X3, X14).
    TimedOut {
        /// Whose.
        seat: Seat,
        /// Which.
        clock: ClockKind,
    },
    /// A seat was given up: the server plays for it until it acts again (X17).
    Resigned {
        /// Which.
        seat: Seat,
    },
    /// A seat that was given up acts again.
    Returned {
        /// Which.
        seat: Seat,
    },
    /// The match ended (X12).
    MatchEnded {
        /// Why.
        reason: EndReason,
        /// Who share the highest total.
        winners: ArrayVec<Seat, 4>,
        /// By seat.
        totals: [i32; 4],
    },
}

impl Event {
    /// Whether it has no public number and is told to nobody but its seat (X16).
    #[must_use]
    pub const fn is_hidden(&self) -> bool {
        matches!(self, Event::DoubleAnswered { .. })
    }
}
