//! A Trix match at one moment: the table, whose turn it is, and all that the rules count. Only `evolve.rs` changes it.
//! It holds hidden cards and, behind [`DealSource`], the seed: its Debug shows neither.

use std::fmt;
use std::sync::Arc;

use arrayvec::ArrayVec;

use super::card_set::CardSet;
use super::contract::Contract;
use super::four::Four;
use super::options::Options;
use super::taken::Taken;
use super::trick::Trick;
use crate::deck::DealSource;
use crate::game::{EndReason, Outcome};
use crate::options::OptionFault;
use crate::seat::Seat;

/// Deals a kingdom.
pub(super) const KINGDOM: u32 = 5;
/// Deals a match.
pub(super) const LAST_DEAL: u32 = 20;

/// How far a match has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Nothing was dealt yet.
    NotDealt,
    /// The owner picks a contract (X3).
    Choosing,
    /// Cards may be doubled (X4).
    Doubling,
    /// Tricks are played (X6).
    Tricks,
    /// Rows are built (X10).
    Layout,
    /// The deal is over; the next one is dealt within the same command, if there is something to deal from.
    DealOver,
    /// The match is over.
    MatchOver,
}

/// A match at one moment.
#[derive(Clone, PartialEq, Eq)]
pub struct State {
    pub(super) options: Options,
    pub(super) deal: Option<Arc<DealSource>>,
    pub(super) phase: Phase,
    pub(super) deal_number: u32,
    pub(super) owner: Seat,
    /// The contracts of this kingdom's finished deals, in order of play.
    pub(super) played: ArrayVec<Contract, 5>,
    pub(super) contract: Option<Contract>,
    pub(super) hands: Four<CardSet>,
    /// Whose turn it is, where it is somebody's: [`State::on_turn`].
    pub(super) turn: Seat,
    /// Doubling answers while the window is open.
    pub(super) answers: Four<Option<CardSet>>,
    /// What was doubled, once it is shown.
    pub(super) doubled: Four<CardSet>,
    pub(super) trick: Trick,
    pub(super) last_trick: Trick,
    pub(super) taken: Taken,
    pub(super) tricks_taken: Four<u32>,
    /// The cards that lie in rows.
    pub(super) laid: CardSet,
    /// Seats in the order in which they emptied their hands.
    pub(super) finished: ArrayVec<Seat, 4>,
    /// Of this deal so far, or of the one that has just ended.
    pub(super) points: Four<i32>,
    /// Before this deal.
    pub(super) totals: Four<i32>,
    /// Who won the match, once it is over.
    pub(super) winners: ArrayVec<Seat, 4>,
    /// Who was given up and has not acted since (X17).
    pub(super) away: Four<bool>,
    pub(super) clocks_started: u32,
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
            deal_number: 0,
            owner: Seat::ZERO,
            played: ArrayVec::new(),
            contract: None,
            hands: Four::default(),
            turn: Seat::ZERO,
            answers: Four::default(),
            doubled: Four::default(),
            trick: Trick::led_by(Seat::ZERO),
            last_trick: Trick::led_by(Seat::ZERO),
            taken: Taken::default(),
            tricks_taken: Four::default(),
            laid: CardSet::EMPTY,
            finished: ArrayVec::new(),
            points: Four::default(),
            totals: Four::default(),
            winners: ArrayVec::new(),
            away: Four::default(),
            clocks_started: 0,
        })
    }

    /// The room's settings, defaults put in.
    #[must_use]
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// What later deals derive from.
    #[must_use]
    pub fn deal(&self) -> Option<&DealSource> {
        self.deal.as_deref()
    }

    /// How far the match has come.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// Whether the server plays for a seat that was given up (X17).
    #[must_use]
    pub fn is_away(&self, seat: Seat) -> bool {
        self.away[seat]
    }

    /// From 1 to 4; 0 before the first deal.
    pub(super) const fn kingdom(&self) -> u32 {
        self.deal_number.div_ceil(KINGDOM)
    }

    /// The seat on turn; nobody while cards are doubled, and in the moment after which a trick or a deal ends.
    #[inline]
    pub(super) fn on_turn(&self) -> Option<Seat> {
        let awaited = match self.phase {
            Phase::Choosing => true,
            Phase::Tricks => !self.trick.is_full() && !self.hands[self.turn].is_empty(),
            Phase::Layout => self.finished.len() < 3 && !self.hands[self.turn].is_empty(),
            Phase::NotDealt | Phase::Doubling | Phase::DealOver | Phase::MatchOver => false,
        };
        awaited.then_some(self.turn)
    }

    /// Whether the last deal that was dealt has ended.
    pub(super) const fn is_deal_over(&self) -> bool {
        matches!(self.phase, Phase::DealOver | Phase::MatchOver)
    }

    /// Points of the finished deals, one that has just ended included.
    pub(super) fn totals(&self) -> Four<i32> {
        if !self.is_deal_over() {
            return self.totals;
        }
        let mut totals = self.totals;
        for (total, points) in totals.0.iter_mut().zip(self.points.0) {
            *total = total.saturating_add(points);
        }
        totals
    }

    /// How the deal or the match ended; `None` while it goes on.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.is_deal_over().then(|| Outcome {
            reason: EndReason::PlayedOut,
            burdens: None,
            points: self.points.0.into(),
            totals: self.totals().0.into(),
            match_over: self.phase == Phase::MatchOver,
            winners: self.winners.clone(),
            settlement: None,
        })
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State")
            .field("phase", &self.phase)
            .field("deal_number", &self.deal_number)
            .field("contract", &self.contract)
            .field("turn", &self.turn)
            .finish_non_exhaustive()
    }
}
