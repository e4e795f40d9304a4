//! Where commands come in: who may command now, and which way each command takes. Everything works on the state it is
//! given and leaves it untouched when it refuses.

use super::action::Action;
use super::deal::starter;
use super::event::{Cause, Event};
use super::judgement::{Ruling, judge};
use super::play::Play;
use super::state::{Phase, State};
use crate::crapette::table::Table;
use crate::game::{ClockKind, Events};
use crate::refusal::{Reason, Refusal};
use crate::seat::Seat;

/// Judges a command of `seat` and carries it out, or cancels it with a penalty.
pub(super) fn play(state: &mut State, seat: Seat, action: &Action) -> Result<Events<Event>, Refusal> {
    is_seated(seat)?;
    is_playing(state)?;
    if state.turn != seat {
        return Err(Reason::NotYourTurn.into());
    }
    let ruling = judge(state, seat, action)?;
    let mut play = Play::on(state);
    // Whether the turn still runs is nothing to whoever commanded.
    let _ = match ruling {
        Ruling::Place(placement) => play.place(placement, Cause::Player),
        Ruling::Discard => play.discard(Cause::Player),
        Ruling::Pass => play.pass(Cause::Player),
        Ruling::Penalty => play.penalise(*action),
    };
    Ok(play.events)
}

/// Lets a clock run out (H18).
pub(super) fn expire(state: &mut State, clock: ClockKind) -> Result<Events<Event>, Refusal> {
    is_playing(state)?;
    if clock != ClockKind::Turn {
        return Err(Reason::NoSuchClock.into());
    }
    let mut play = Play::on(state);
    let _ = play.time_out();
    Ok(play.events)
}

/// Gives up the match, from either seat and at any time before it is over (H25).
pub(super) fn resign(state: &mut State, seat: Seat) -> Result<Events<Event>, Refusal> {
    is_seated(seat)?;
    match state.phase {
        Phase::NotDealt => Err(Reason::NotStarted.into()),
        Phase::GivenUp | Phase::MatchOver => Err(Reason::MatchOver.into()),
        Phase::BetweenTurns | Phase::Playing => {
            let mut play = Play::on(state);
            play.resign(seat);
            Ok(play.events)
        }
    }
}

/// Deals the match (H1, H2).
pub(super) fn start(state: &mut State) -> Result<Events<Event>, Refusal> {
    if state.phase != Phase::NotDealt {
        return Err(Reason::AlreadyStarted.into());
    }
    let deal = state.deal().ok_or(Reason::NotStarted)?;
    let (starter, drawn) = starter(deal, &Table::dealt(deal, 1));
    let mut play = Play::on(state);
    play.emit(Event::Dealt { starter, drawn });
    play.start_turn(starter, 1);
    Ok(play.events)
}

fn is_seated(seat: Seat) -> Result<(), Refusal> {
    if seat == Seat::ZERO || seat == Seat::ONE { Ok(()) } else { Err(Reason::NotSeated.into()) }
}

fn is_playing(state: &State) -> Result<(), Refusal> {
    match state.phase {
        Phase::Playing => Ok(()),
        Phase::NotDealt | Phase::BetweenTurns => Err(Reason::NotStarted.into()),
        Phase::GivenUp | Phase::MatchOver => Err(Reason::MatchOver.into()),
    }
}
