//! Judging what the seat on turn attempts: refused (H11), cancelled with a penalty (H9), or to be carried out. Nothing
//! is changed here.

use super::action::Action;
use super::scene::{Placement, owes_foundation};
use super::state::State;
use crate::crapette::attempt::{WhilePending, destination, source};
use crate::crapette::table::Table;
use crate::crapette::{Pile, Place};
use crate::refusal::{Reason, Refusal};
use crate::seat::Seat;

/// What is to be done with an attempt that is not refused.
#[derive(Clone, Copy)]
pub(super) enum Ruling {
    Place(Placement),
    Discard,
    Pass,
    Penalty,
}

/// Judges an attempt of `seat`, who is on turn. What would be refused without a duty is refused with one (H11, H22).
pub(super) fn judge(state: &State, seat: Seat, action: &Action) -> Result<Ruling, Refusal> {
    let table = &state.table;
    let ruling = match action {
        Action::Move { from, to, count } => Ruling::Place(placement(table, seat, from, to, *count)?),
        Action::Discard => may_discard(table).map(|()| Ruling::Discard)?,
        Action::Pass => may_pass(table, seat).map(|()| Ruling::Pass)?,
    };
    match ruling {
        Ruling::Place(Placement { to: Place::Foundation(_), .. }) => Ok(ruling),
        // H8: nothing else comes before a foundation placement.
        _ if owes_foundation(table, seat) => Ok(Ruling::Penalty),
        _ => Ok(ruling),
    }
}

/// One available card to where it fits (H3–H6).
fn placement(table: &Table, seat: Seat, from: &Pile, to: &Pile, count: u32) -> Result<Placement, Refusal> {
    let from = source(table, seat, from, 1, WhilePending::Together)?;
    if count > 1 {
        return Err(Refusal::at_limit(Reason::CountTooHigh, 1));
    }
    let to = destination(seat, from, to)?;
    let card = table.top(from).ok_or(Reason::PileEmpty)?;
    let to = to.taking(table, seat, card).ok_or(Reason::CardDoesNotFit)?;
    Ok(Placement { from, to })
}

/// H12, H22.
pub(super) fn may_discard(table: &Table) -> Result<(), Refusal> {
    if table.pending.is_some() { Ok(()) } else { Err(Reason::NothingPending.into()) }
}

/// H13, H22.
pub(super) fn may_pass(table: &Table, seat: Seat) -> Result<(), Refusal> {
    if table.pending.is_some() {
        Err(Reason::CardPending.into())
    } else if !table.hands[seat].is_empty() || !table.wastes[seat].is_empty() {
        Err(Reason::CardsLeft.into())
    } else {
        Ok(())
    }
}
