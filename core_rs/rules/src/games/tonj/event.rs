//! What can happen at a Tonj table: past-tense facts, each with all that is needed to fold it. How they are folded is
//! `evolve.rs`; who may read which part of them is decided by those who send them.

use arrayvec::ArrayVec;

use super::action::Action;
use crate::card::Card;
use crate::crapette::place::Place;
use crate::game::{ClockKind, EndReason};
use crate::seat::Seat;

/// The cards of one move, innermost first; a group is a run, so never more than thirteen.
pub type Cards = ArrayVec<Card, 13>;

/// Who moved a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// The player.
    Player,
    /// The server, closing a claim (T31).
    Claim,
    /// The server, for a player whose clock ran out (T34).
    Clock,
}

/// How a turn ended (T21).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TurnEnd {
    /// By a discard.
    Discard,
    /// By a called claim.
    Called,
    /// By the player's command, or the clock's in his stead.
    Asked,
    /// By itself: no move was left.
    NoMove,
}

/// What kind of fault an attempt is (T29).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultClass {
    /// A build rule forbids it.
    Build,
    /// A priority demands another move first.
    Priority,
}

impl FaultClass {
    /// `B` or `P`.
    #[must_use]
    pub const fn letter(self) -> &'static str {
        match self {
            FaultClass::Build => "B",
            FaultClass::Priority => "P",
        }
    }
}

/// A fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A hand was dealt; its decks derive from the match's seed.
    Dealt {
        /// From 1.
        hand_number: u32,
        /// Who starts it.
        starter: Seat,
        /// Whether the starter was drawn by lot (T5).
        drawn: bool,
    },
    /// A turn began.
    TurnStarted {
        /// Whose.
        seat: Seat,
        /// From 1 in each hand.
        turn_number: u32,
    },
    /// A waste was turned over and is the hand now (T20).
    WasteRecycled {
        /// Whose.
        seat: Seat,
        /// How many cards.
        count: u32,
    },
    /// The top card of the hand was turned up: it is pending.
    CardRevealed {
        /// Whose.
        seat: Seat,
        /// Which.
        card: Card,
        /// By whom.
        cause: Cause,
    },
    /// Cards changed their pile. From the hand it is the pending card that goes.
    CardsMoved {
        /// Who is on turn.
        seat: Seat,
        /// From where.
        from: Place,
        /// To where.
        to: Place,
        /// Innermost first.
        cards: Cards,
        /// By whom.
        cause: Cause,
        /// The reserve card that turned face up in its stead (T14).
        turned_up: Option<Card>,
    },
    /// The pending card went to its owner's waste.
    CardDiscarded {
        /// Whose.
        seat: Seat,
        /// Which.
        card: Card,
        /// By whom; a called claim's is no discard in the sense of T26 (T39).
        cause: Cause,
    },
    /// A faulty attempt opened a claim (T29).
    ClaimOpened {
        /// Whose attempt.
        offender: Seat,
        /// What he tried.
        attempt: Action,
        /// What is wrong with it: withheld from all viewers until the claim closes (T32).
        class: FaultClass,
    },
    /// The claim closed.
    ClaimResolved {
        /// Whether Tonj was called, or the window ran out.
        called: bool,
        /// What was wrong.
        class: FaultClass,
    },
    /// A clock ran out, and the server plays for `seat` (T34).
    TimedOut {
        /// Whose.
        seat: Seat,
        /// Which.
        clock: ClockKind,
    },
    /// A turn ended.
    TurnEnded {
        /// Whose.
        seat: Seat,
        /// How.
        by: TurnEnd,
    },
    /// A hand ended (T23, T24).
    HandEnded {
        /// Why.
        reason: EndReason,
        /// Who won it; nobody if it is drawn.
        winner: Option<Seat>,
        /// By seat.
        burdens: [u32; 2],
        /// Of this hand, by seat.
        points: [u32; 2],
        /// After it, by seat.
        totals: [u32; 2],
    },
    /// A seat gave up.
    Resigned {
        /// Which.
        seat: Seat,
    },
    /// The match ended.
    MatchEnded {
        /// Why.
        reason: EndReason,
        /// One winner, or both for a draw.
        winners: ArrayVec<Seat, 2>,
        /// By seat.
        totals: [u32; 2],
    },
}
