//! A match of the house edition at one moment: the table, whose turn it is, and all that the rules count. Only
//! `evolve.rs` changes it. It holds hidden cards and, behind [`DealSource`], the seed: its Debug shows neither.

use std::fmt;
use std::sync::Arc;

use super::options::Options;
use crate::card::Suit;
use crate::crapette::table::Table;
use crate::deck::DealSource;
use crate::game::{ClockKind, EndReason, Outcome, RunningClock};
use crate::options::OptionFault;
use crate::seat::Seat;
use crate::settlement::Settlement;

/// How far a match has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Nothing was dealt yet.
    NotDealt,
    /// A turn has ended or the match was dealt; the next turn, or the end, comes within the same command.
    BetweenTurns,
    /// A turn runs.
    Playing,
    /// A seat has resigned; the match ends within the same command.
    GivenUp,
    /// The match is over.
    MatchOver,
}

/// How the match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ending {
    pub(super) reason: EndReason,
    pub(super) winner: Option<Seat>,
    pub(super) settlement: Settlement,
}

/// Completed foundations that have left play, one count a suit (H4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Retired(pub(super) [u32; 4]);

impl Retired {
    pub(super) fn add(&mut self, suit: Suit) {
        if let Some(count) = self.0.get_mut(usize::from(suit.index())) {
            *count += 1;
        }
    }

    pub(super) fn count(self, suit: Suit) -> u32 {
        self.0.get(usize::from(suit.index())).copied().unwrap_or(0)
    }
}

/// A match at one moment.
#[derive(Clone, PartialEq, Eq)]
pub struct State {
    pub(super) options: Options,
    pub(super) deal: Option<Arc<DealSource>>,
    pub(super) phase: Phase,
    pub(super) turn_number: u32,
    pub(super) starter: Seat,
    pub(super) turn: Seat,
    pub(super) table: Table,
    pub(super) retired: Retired,
    /// Placements of this turn (H16).
    pub(super) moves: u32,
    /// Turns in a row that ended with a pass (H15).
    pub(super) passes: u32,
    pub(super) ending: Option<Ending>,
    /// How many turn clocks were started.
    pub(super) clocks_started: u32,
}

impl State {
    /// A match before its deal. `deal` may be absent for a table that is set up by hand.
    ///
    /// # Errors
    /// [`OptionFault`] if an option is out of bounds.
    pub fn new(options: Options, deal: Option<DealSource>) -> Result<State, OptionFault> {
        Ok(State {
            options: options.resolved()?,
            deal: deal.map(Arc::new),
            phase: Phase::NotDealt,
            turn_number: 0,
            starter: Seat::ZERO,
            turn: Seat::ZERO,
            table: Table::empty(),
            retired: Retired::default(),
            moves: 0,
            passes: 0,
            ending: None,
            clocks_started: 0,
        })
    }

    /// The table's settings, defaults put in.
    #[must_use]
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// What the match was dealt from.
    #[must_use]
    pub fn deal(&self) -> Option<&DealSource> {
        self.deal.as_deref()
    }

    /// How far the match has come.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// Counts both players' turns from 1; 0 before the first.
    #[must_use]
    pub const fn turn_number(&self) -> u32 {
        self.turn_number
    }

    /// The seat on turn; means nothing once the match is over.
    #[must_use]
    pub const fn turn_seat(&self) -> Seat {
        self.turn
    }

    /// Who started.
    #[must_use]
    pub const fn starter(&self) -> Seat {
        self.starter
    }

    /// Placements that are left in this turn (H16).
    #[must_use]
    pub const fn moves_left(&self) -> u32 {
        self.options.max_moves_per_turn.saturating_sub(self.moves)
    }

    /// Cards that a penalty costs, if there are as many (H10).
    pub(super) fn penalty_cards(&self) -> u32 {
        self.options.penalty_cards.unwrap_or_default()
    }

    /// Personal cards by seat (H17), the opened one with its owner's.
    pub(super) fn personal_cards(&self) -> [u32; 2] {
        let opened = |seat| u32::from(self.turn == seat && self.table.pending.is_some());
        [Seat::ZERO, Seat::ONE].map(|seat| self.table.personal(seat) + opened(seat))
    }

    /// What a match with that winner, or a drawn one, pays (H20).
    pub(super) fn settlement(&self, winner: Option<Seat>) -> Settlement {
        let Options { entry_fee_minor, rake_bps, .. } = self.options;
        match winner {
            Some(winner) => Settlement::won(entry_fee_minor, rake_bps, winner),
            None => Settlement::refunded(entry_fee_minor),
        }
    }

    /// The turn clock, while a turn runs.
    #[must_use]
    pub fn clock(&self) -> Option<RunningClock> {
        let length_ms = self.options.turn_seconds.saturating_mul(1000);
        let clock = RunningClock { kind: ClockKind::Turn, length_ms, armed: self.clocks_started };
        (self.phase == Phase::Playing).then_some(clock)
    }

    /// How the match ended; `None` while it goes on. It has no points.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        let Ending { reason, winner, settlement } = self.ending?;
        let winners = match winner {
            Some(winner) => [winner].into_iter().collect(),
            None => [Seat::ZERO, Seat::ONE].into_iter().collect(),
        };
        let nothing = || [0, 0].into_iter().collect();
        Some(Outcome {
            reason,
            burdens: None,
            points: nothing(),
            totals: nothing(),
            match_over: true,
            winners,
            settlement: Some(settlement),
        })
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State")
            .field("phase", &self.phase)
            .field("turn_number", &self.turn_number)
            .field("turn", &self.turn)
            .finish_non_exhaustive()
    }
}
