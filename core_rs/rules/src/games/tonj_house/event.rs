//! What can happen at a table of the house edition: past-tense facts, each with all that is needed to fold it into the
//! table, and into what everybody sees of it. None names a card that lies face down. How they are folded is
//! `evolve.rs`.

use super::action::Action;
use crate::card::{Card, Suit};
use crate::crapette::{Place, Slot};
use crate::game::{ClockKind, EndReason};
use crate::seat::Seat;
use crate::settlement::Settlement;

/// Who brought something about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// The player.
    Player,
    /// The server, for a player whose clock ran out (H18).
    Clock,
    /// It happened by itself: the pass of H13, the throw of H16.
    Rule,
}

/// How a turn ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TurnEnd {
    /// By a discard (H12).
    Discard,
    /// By a pass (H13).
    Pass,
    /// By a penalty (H9).
    Penalty,
    /// By its number of placements (H16).
    MoveLimit,
}

/// A fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The match was dealt; its decks derive from the match's seed.
    Dealt {
        /// Who starts.
        starter: Seat,
        /// Whether the starter was drawn by lot (H2).
        drawn: bool,
    },
    /// A turn began.
    TurnStarted {
        /// Whose.
        seat: Seat,
        /// From 1, both players' turns together.
        turn_number: u32,
    },
    /// A waste was turned over and is the stock now (H7).
    WasteTurned {
        /// Whose.
        seat: Seat,
        /// How many cards.
        count: u32,
    },
    /// The top stock card opened (H7).
    CardOpened {
        /// Whose.
        seat: Seat,
        /// Which.
        card: Card,
    },
    /// A card was placed. From the hand it is the opened card that goes.
    CardMoved {
        /// Who is on turn.
        seat: Seat,
        /// From where.
        from: Place,
        /// To where.
        to: Place,
        /// Which.
        card: Card,
        /// By whom.
        cause: Cause,
        /// The Tonj card that turned face up in its stead.
        turned_up: Option<Card>,
    },
    /// A foundation had its king and left play (H4).
    FoundationRetired {
        /// From where; it is free again.
        slot: Slot,
        /// Its suit.
        suit: Suit,
    },
    /// The opened card went to its owner's waste.
    CardDiscarded {
        /// Whose.
        seat: Seat,
        /// Which.
        card: Card,
        /// By whom.
        cause: Cause,
    },
    /// An attempt was cancelled for a neglected duty (H9): the opened card goes to its owner's waste first, then the
    /// penalty cards are slid under his Tonj pile, face down, the first one highest (H10, H21).
    Penalised {
        /// The offender.
        seat: Seat,
        /// What he tried.
        attempt: Action,
        /// The opened card.
        returned: Option<Card>,
        /// Whose cards the penalty cards were.
        source: Seat,
        /// How many came from that stock, the next card first.
        from_stock: u32,
        /// How many came then from that waste, the oldest first.
        from_waste: u32,
        /// The penalty card that turned up because the Tonj pile was empty.
        turned_up: Option<Card>,
    },
    /// A seat passed.
    Passed {
        /// Which.
        seat: Seat,
        /// By whom.
        cause: Cause,
    },
    /// A turn ended.
    TurnEnded {
        /// Whose.
        seat: Seat,
        /// How.
        by: TurnEnd,
    },
    /// A clock ran out, and the server plays for `seat` (H18).
    TimedOut {
        /// Whose.
        seat: Seat,
        /// Which.
        clock: ClockKind,
    },
    /// A seat gave up.
    Resigned {
        /// Which.
        seat: Seat,
    },
    /// The match ended and was settled (H14–H17, H20).
    MatchEnded {
        /// Why.
        reason: EndReason,
        /// Who won it; nobody if it is drawn.
        winner: Option<Seat>,
        /// Personal cards left, by seat (H17): Tonj pile, stock and waste, and the opened card with its owner's.
        cards: [u32; 2],
        /// Who is paid what.
        settlement: Settlement,
    },
}
