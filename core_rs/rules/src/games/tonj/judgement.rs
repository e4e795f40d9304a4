//! Judging what the seat on turn attempts (T29): refused (class U), faulty (class B or P), or to be carried out.
//! Nothing is changed here, and whether a faulty attempt opens a claim is `claims.rs`.

use super::action::Action;
use super::attempt::Attempt;
use super::duties::Duty;
use super::event::FaultClass;
use super::group::longest_group;
use super::state::State;
use crate::card::Card;
use crate::crapette::attempt::Destination;
use crate::crapette::building::{Houses, builds_on, is_run, loads_on};
use crate::crapette::place::Place;
use crate::refusal::{Reason, Refusal};
use crate::seat::Seat;

/// What is to be done with an attempt that is not refused.
#[derive(Clone, Copy)]
pub(super) enum Ruling {
    Place(Placement),
    Reveal,
    Discard,
    EndTurn,
    Faulty(FaultClass),
}

/// A legal placement.
#[derive(Clone, Copy)]
pub(super) struct Placement {
    pub(super) from: Place,
    pub(super) to: Place,
    pub(super) count: usize,
}

/// Judges an attempt of `seat`, who is on turn with no claim open.
pub(super) fn judge(state: &State, seat: Seat, action: &Action) -> Result<Ruling, Refusal> {
    match action {
        Action::Move { from, to, count } => {
            let attempt = Attempt::resolve(state, seat, from, to, *count)?;
            let Some(placement) = built(state, seat, &attempt) else {
                return Ok(Ruling::Faulty(FaultClass::Build));
            };
            if Duty::of(&state.table, seat).allows(placement.from, placement.to) {
                Ok(Ruling::Place(placement))
            } else {
                Ok(Ruling::Faulty(FaultClass::Priority))
            }
        }
        Action::Reveal => reveal(state, seat),
        Action::Discard => discard(state, seat),
        Action::EndTurn => end_turn(state, seat),
        Action::CallTonj => Err(Reason::NoClaim.into()),
    }
}

/// The placement that an attempt is, if the build rules allow it (T9–T11, T13).
fn built(state: &State, seat: Seat, attempt: &Attempt) -> Option<Placement> {
    let table = &state.table;
    let to = match (attempt.to, attempt.count) {
        (to, 1) => to.taking(table, seat, table.top(attempt.from)?),
        (Destination::House(slot), count) => {
            let Place::House(source) = attempt.from else { return None };
            let group = table.houses[source].top_cards(count)?;
            let target = table.houses[slot].top();
            let fits = target.is_none_or(|top| group.first().is_some_and(|&lowest| builds_on(lowest, top)));
            (count <= longest_group(table.empty_houses(), target.is_none()) && fits && is_run(group))
                .then_some(Place::House(slot))
        }
        // A group goes to a house only (T37).
        _ => None,
    }?;
    Some(Placement { from: attempt.from, to, count: attempt.count })
}

/// T18.
fn reveal(state: &State, seat: Seat) -> Result<Ruling, Refusal> {
    if state.table.pending.is_some() {
        Err(Reason::CardPending.into())
    } else if state.table.hands[seat].is_empty() {
        Err(Reason::HandEmpty.into())
    } else {
        Ok(if_clear(state, seat, Ruling::Reveal))
    }
}

/// T19, T36.
fn discard(state: &State, seat: Seat) -> Result<Ruling, Refusal> {
    let pending = state.table.pending.ok_or(Reason::NothingPending)?;
    if state.table.foundations.take(pending) {
        Ok(Ruling::Faulty(FaultClass::Priority))
    } else if fits_house_or_load(state, seat, pending) {
        Err(Reason::CardCanBePlayed.into())
    } else {
        Ok(Ruling::Discard)
    }
}

/// Whether the pending card may be placed elsewhere than on a foundation.
fn fits_house_or_load(state: &State, seat: Seat, pending: Card) -> bool {
    let (table, opponent) = (&state.table, seat.opponent());
    let houses = Houses::of(&table.houses);
    let takes_any = table.reserves[seat].is_empty() && !houses.empty.is_empty();
    takes_any
        || !houses.taking(pending).is_empty()
        || loads_on(table.reserves[opponent].top()).have(pending)
        || loads_on(table.wastes[opponent].top()).have(pending)
}

/// T21.
fn end_turn(state: &State, seat: Seat) -> Result<Ruling, Refusal> {
    if state.table.pending.is_some() {
        Err(Reason::CardPending.into())
    } else if !state.table.hands[seat].is_empty() || !state.table.wastes[seat].is_empty() {
        Err(Reason::CardsLeft.into())
    } else {
        Ok(if_clear(state, seat, Ruling::EndTurn))
    }
}

/// A reveal or an end of turn while P1–P3 demand a move is class P (T29).
fn if_clear(state: &State, seat: Seat, ruling: Ruling) -> Ruling {
    match Duty::of(&state.table, seat) {
        Duty::Clear => ruling,
        _ => Ruling::Faulty(FaultClass::Priority),
    }
}
