//! Every attempt there is at a table, and what the faulty ones lead to. For perft and for tests: play needs neither.

use super::action::Action;
use super::decide;
use super::judgement::{Ruling, judge};
use super::state::{Phase, State};
use crate::crapette::attempt::aims;
use crate::crapette::{Pile, Slot};
use crate::seat::Seat;

/// Every attempt of `seat` that names one card of an own source and a possible kind of destination: from its Tonj pile,
/// its opened card and each house, to each house, each foundation by its index, the opponent's Tonj pile and his waste;
/// and the discard and the pass. Legal ones, faulty ones and refused ones alike.
#[must_use]
pub fn attempts(seat: Seat) -> Vec<Action> {
    let aims = aims(seat);
    let mut sources = vec![Pile::reserve(seat), Pile::hand(seat)];
    sources.extend(Slot::ALL.map(Pile::house));
    let mut attempts = vec![Action::Discard, Action::Pass];
    for from in sources {
        attempts.extend(aims.iter().map(|&to| Action::Move { from, to, count: 0 }));
    }
    attempts
}

/// What each of [`attempts`] that brings a penalty leads to.
pub(super) fn after_faults(state: &State, seat: Seat, found: &mut dyn FnMut(State)) {
    if state.phase != Phase::Playing || state.turn != seat {
        return;
    }
    for attempt in attempts(seat) {
        if matches!(judge(state, seat, &attempt), Ok(Ruling::Penalty)) {
            let mut after = state.clone();
            if decide::play(&mut after, seat, &attempt).is_ok() {
                found(after);
            }
        }
    }
}
