//! Judging a replay again: which command the next events tell of, and whether it brought about just these. A running
//! match is only folded (`evolve.rs`), so that its log folds the same under any later judgement.
//!
//! What cannot be known is only what a seat answered that nobody was told (X16).

use super::action::Action;
use super::event::Event;
use super::state::State;
use super::{Trix, evolve};
use crate::game::{ClockKind, Events, Rules, Unfoldable};
use crate::refusal::Refusal;
use crate::seat::Seat;

/// How many events the command that comes first brought about.
pub(super) fn retrace(state: &State, events: &[Event]) -> Result<usize, Unfoldable> {
    let made = match events {
        [] => return Ok(0),
        // The answers are not told; that cards were doubled by those who held them is asked when it is folded.
        [shown @ Event::DoublesShown { .. }, ..] => {
            return evolve::evolve(&mut state.clone(), shown).map(|()| 1);
        }
        [Event::Dealt { .. }, ..] => Trix::start(state),
        [Event::TimedOut { clock, .. }, ..] => Trix::expire(state, *clock),
        [Event::Resigned { seat }, ..] => Trix::resign(state, *seat),
        [Event::Returned { seat }, next, ..] => acted(state, *seat, next),
        [next @ Event::ContractChosen { .. }, ..] => played(state, state.owner, next),
        [next @ (Event::CardPlayed { seat, .. } | Event::Passed { seat }), ..] => played(state, *seat, next),
        _ => return Err(Unfoldable("an event that no command begins with")),
    };
    match made {
        Err(_) => Err(Unfoldable("a command that the rules refuse")),
        Ok(made) if made.is_empty() || !events.starts_with(&made) => Err(Unfoldable("not what the rules make of it")),
        Ok(made) => Ok(made.len()),
    }
}

/// What was done by or for a seat: who is away is played for, and is told apart by its return.
fn played(state: &State, seat: Seat, event: &Event) -> Result<Events<Event>, Refusal> {
    if state.is_away(seat) { Trix::expire(state, ClockKind::Away) } else { acted(state, seat, event) }
}

/// The command that a seat must have given.
fn acted(state: &State, seat: Seat, event: &Event) -> Result<Events<Event>, Refusal> {
    let action = match *event {
        Event::ContractChosen { contract } => Action::ChooseContract(contract),
        Event::CardPlayed { card, .. } => Action::PlayCard(card),
        _ => Action::Pass,
    };
    Trix::decide(state, seat, &action)
}
