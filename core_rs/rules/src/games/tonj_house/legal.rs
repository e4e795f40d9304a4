//! Every legal action of the seat on turn (H29). It must say exactly what `judgement.rs` accepts without a penalty; the
//! tests hold the two against each other.

use super::action::Action;
use super::judgement::{may_discard, may_pass};
use super::scene::{Placement, each_duty, each_elsewhere, owes_foundation};
use super::state::{Phase, State};
use crate::crapette::Pile;
use crate::seat::Seat;

/// Writes every action that would be carried out for `seat` over what `actions` held, never resigning.
pub(super) fn legal_actions(state: &State, seat: Seat, actions: &mut Vec<Action>) {
    actions.clear();
    if state.phase != Phase::Playing || state.turn != seat {
        return;
    }
    let table = &state.table;
    let mut found = |placement: Placement| actions.push(placement.into());
    if owes_foundation(table, seat) {
        return each_duty(table, seat, &mut found);
    }
    each_elsewhere(table, seat, &mut found);
    if may_discard(table).is_ok() {
        actions.push(Action::Discard);
    }
    if may_pass(table, seat).is_ok() {
        actions.push(Action::Pass);
    }
}

impl From<Placement> for Action {
    /// The count is left out.
    fn from(placement: Placement) -> Action {
        Action::Move { from: Pile::from(placement.from), to: Pile::from(placement.to), count: 0 }
    }
}
