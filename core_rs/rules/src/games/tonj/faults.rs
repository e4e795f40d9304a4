//! Every attempt there is at a table, and what the faulty ones lead to. For perft and for tests: play needs neither.

use super::action::Action;
use super::decide;
use super::judgement::{Ruling, judge};
use super::state::{Phase, State};
use crate::crapette::Pile;
use crate::crapette::attempt::aims;
use crate::crapette::slot::Slot;
use crate::game::ClockKind;
use crate::seat::Seat;

/// Every attempt of `seat` that names an own source and a possible kind of destination: from its reserve, its hand and
/// each house with each count it has, to each house, each foundation by its index, the opponent's reserve and his
/// waste; and the reveal, the discard and the end of the turn. Legal ones, faulty ones and refused ones alike.
#[must_use]
pub fn attempts(state: &State, seat: Seat) -> Vec<Action> {
    let targets = aims(seat);
    let mut sources = vec![(Pile::reserve(seat), 0), (Pile::hand(seat), 0)];
    for slot in Slot::ALL {
        // One card is written without a count.
        let counts = (1..=state.table.houses[slot].len() as u32).map(|count| if count == 1 { 0 } else { count });
        sources.extend(counts.map(|count| (Pile::house(slot), count)));
    }
    let mut attempts = vec![Action::Reveal, Action::Discard, Action::EndTurn];
    for (from, count) in sources {
        attempts.extend(targets.iter().map(|&to| Action::Move { from, to, count }));
    }
    attempts
}

/// What each of [`attempts`] that opens a claim leads to: once called and once expired.
pub(super) fn after_faults(state: &State, seat: Seat, found: &mut dyn FnMut(State)) {
    if state.phase != Phase::Playing || state.claim.is_some() || state.turn != seat {
        return;
    }
    for attempt in attempts(state, seat) {
        let mut opened = state.clone();
        let is_faulty = matches!(judge(state, seat, &attempt), Ok(Ruling::Faulty(_)));
        if is_faulty && decide::play(&mut opened, seat, &attempt).is_ok() {
            let (mut called, mut expired) = (opened.clone(), opened);
            if decide::play(&mut called, seat.opponent(), &Action::CallTonj).is_ok() {
                found(called);
            }
            if decide::expire(&mut expired, ClockKind::Claim).is_ok() {
                found(expired);
            }
        }
    }
}
