//! The doubling window (X4, X5): who is asked, and what may be answered.

use super::action::Named;
use super::card_set::CardSet;
use super::contract::Contract;
use super::state::{Phase, State};
use crate::refusal::{Reason, Refusal};
use crate::seat::Seat;

impl State {
    /// Whether a seat is asked and has not answered yet: for that seat alone to know.
    #[must_use]
    pub fn may_double(&self, seat: Seat) -> bool {
        self.phase == Phase::Doubling && self.answers[seat].is_none() && !self.doublable(seat).is_empty()
    }

    /// The cards of a seat that its contract lets be doubled.
    pub(super) fn doublable(&self, seat: Seat) -> CardSet {
        self.hands[seat].intersection(self.contract.map_or(CardSet::EMPTY, Contract::doublable))
    }

    /// The lowest seat whose answer is awaited.
    pub(super) fn first_asked(&self) -> Option<Seat> {
        Seat::FOUR.into_iter().find(|&seat| self.may_double(seat))
    }
}

/// Whether an answer stands. What it tells depends on nothing but the caller's own hand and answers (X20).
pub(super) fn may_answer(state: &State, seat: Seat, named: Named) -> Result<(), Refusal> {
    let contract = state.contract.filter(|_| state.phase == Phase::Doubling).ok_or(Reason::WrongPhase)?;
    if state.doublable(seat).is_empty() {
        return Err(Reason::NotAsked.into());
    }
    if state.answers[seat].is_some() {
        return Err(Reason::AlreadyAnswered.into());
    }
    if named.twice {
        return Err(Reason::CardNamedTwice.into());
    }
    if !named.cards.is_subset(contract.doublable()) {
        return Err(Reason::CardNotDoublable.into());
    }
    if !named.cards.is_subset(state.hands[seat]) {
        return Err(Reason::CardNotInHand.into());
    }
    Ok(())
}
