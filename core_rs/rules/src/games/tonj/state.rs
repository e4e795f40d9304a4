//! A Tonj match at one moment: the table, whose turn it is, and all that the rules count. Only `evolve.rs` changes
//! it. It holds hidden cards and, behind [`DealSource`], the seed: its Debug shows neither.

use std::fmt;
use std::sync::Arc;

use arrayvec::ArrayVec;

use super::action::Action;
use super::event::FaultClass;
use super::options::Options;
use super::repetition::Visits;
use crate::crapette::pair::Pair;
use crate::crapette::table::Table;
use crate::deck::DealSource;
use crate::game::{ClockKind, EndReason, Outcome, RunningClock};
use crate::options::OptionFault;
use crate::seat::Seat;

/// How far a match has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Nothing was dealt yet.
    NotDealt,
    /// A turn has ended or a hand was dealt; the next turn begins within the same command.
    BetweenTurns,
    /// A turn runs.
    Playing,
    /// The hand is over; the next one is dealt within the same command, if there is something to deal from.
    HandOver,
    /// The match is over.
    MatchOver,
}

/// An attempt that may be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Whose attempt; it is his turn.
    pub offender: Seat,
    /// What he tried.
    pub attempt: Action,
    /// What is wrong with it; told to nobody until the claim closes (T32).
    pub class: FaultClass,
}

/// How the last hand, and perhaps the match, ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    pub(super) reason: EndReason,
    pub(super) burdens: [u32; 2],
    pub(super) points: [u32; 2],
    pub(super) winners: ArrayVec<Seat, 2>,
}

/// A match at one moment.
#[derive(Clone, PartialEq, Eq)]
pub struct State {
    pub(super) options: Options,
    pub(super) deal: Option<Arc<DealSource>>,
    pub(super) phase: Phase,
    pub(super) hand_number: u32,
    pub(super) turn_number: u32,
    pub(super) starter: Seat,
    pub(super) turn: Seat,
    pub(super) table: Table,
    /// House-to-house transfers of this turn (T22).
    pub(super) transfers: u32,
    /// Claims of this turn (T33).
    pub(super) claims: u32,
    /// The counts of T26.
    pub(super) quiet: Pair<u32>,
    pub(super) claim: Option<Claim>,
    pub(super) totals: Pair<u32>,
    /// The positions at the starts of turns since a card last reached a foundation (T27).
    pub(super) visits: Visits,
    pub(super) ending: Option<Ending>,
    /// How many turn clocks and how many claim clocks were started.
    pub(super) clocks_started: Pair<u32>,
}

impl State {
    /// A match before its first deal. `deal` may be absent for a table that is set up by hand.
    ///
    /// # Errors
    /// [`OptionFault`] if an option is out of bounds.
    pub fn new(options: Options, deal: Option<DealSource>) -> Result<State, OptionFault> {
        Ok(State {
            options: options.resolved()?,
            deal: deal.map(Arc::new),
            phase: Phase::NotDealt,
            hand_number: 0,
            turn_number: 0,
            starter: Seat::ZERO,
            turn: Seat::ZERO,
            table: Table::empty(),
            transfers: 0,
            claims: 0,
            quiet: Pair::default(),
            claim: None,
            totals: Pair::default(),
            visits: Visits::default(),
            ending: None,
            clocks_started: Pair::default(),
        })
    }

    /// The room's settings, defaults put in.
    #[must_use]
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// What later hands derive from.
    #[must_use]
    pub fn deal(&self) -> Option<&DealSource> {
        self.deal.as_deref()
    }

    /// How far the match has come.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// Counts the hands of a series from 1; 0 before the first deal.
    #[must_use]
    pub const fn hand_number(&self) -> u32 {
        self.hand_number
    }

    /// Counts the turns of this hand from 1; 0 before its first.
    #[must_use]
    pub const fn turn_number(&self) -> u32 {
        self.turn_number
    }

    /// The seat on turn; means nothing once the match is over.
    #[must_use]
    pub const fn turn_seat(&self) -> Seat {
        self.turn
    }

    /// Who started this hand.
    #[must_use]
    pub const fn starter(&self) -> Seat {
        self.starter
    }

    /// The claim that is open.
    #[must_use]
    pub const fn claim(&self) -> Option<&Claim> {
        self.claim.as_ref()
    }

    /// Points of the finished hands, by seat.
    #[must_use]
    pub const fn totals(&self) -> [u32; 2] {
        self.totals.0
    }

    /// House-to-house transfers that are left in this turn (T22).
    #[must_use]
    pub const fn transfers_left(&self) -> u32 {
        self.options.max_transfers_per_turn.saturating_sub(self.transfers)
    }

    /// The clock that runs: the claim's while one is open, for the turn's stands still then (T30).
    #[must_use]
    pub fn clock(&self) -> Option<RunningClock> {
        let [turns, claims] = self.clocks_started.0;
        match (self.phase, &self.claim) {
            (Phase::Playing, None) => {
                let length_ms = self.options.turn_seconds.saturating_mul(1000);
                Some(RunningClock { kind: ClockKind::Turn, length_ms, armed: turns.wrapping_mul(2) })
            }
            (Phase::Playing, Some(_)) => {
                let length_ms = self.options.claim_window_ms;
                Some(RunningClock { kind: ClockKind::Claim, length_ms, armed: claims.wrapping_mul(2).wrapping_add(1) })
            }
            _ => None,
        }
    }

    /// How the hand or the match ended; `None` while it goes on.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        let ending = self.ending.as_ref()?;
        Some(Outcome {
            reason: ending.reason,
            burdens: Some(ending.burdens.into_iter().collect()),
            points: ending.points.iter().map(|&points| points as i32).collect(),
            totals: self.totals.0.iter().map(|&total| total as i32).collect(),
            match_over: self.phase == Phase::MatchOver,
            winners: ending.winners.iter().copied().collect(),
            settlement: None,
        })
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State")
            .field("phase", &self.phase)
            .field("hand_number", &self.hand_number)
            .field("turn_number", &self.turn_number)
            .field("turn", &self.turn)
            .finish_non_exhaustive()
    }
}
