//! Where commands come in: who may command now, and which way each command takes. Everything works on the state it is
//! given and leaves it untouched when it refuses.

use std::ops::ControlFlow;

use super::action::Action;
use super::claims::{may_call, may_open};
use super::deal::first_starter;
use super::event::{Cause, Event, TurnEnd};
use super::judgement::{Ruling, judge};
use super::play::{Course, Play};
use super::state::{Phase, State};
use crate::crapette::table::Table;
use crate::game::{ClockKind, Events};
use crate::refusal::{Reason, Refusal};
use crate::seat::Seat;

/// Judges a command of `seat` and carries it out.
pub(super) fn play(state: &mut State, seat: Seat, action: &Action) -> Result<Events<Event>, Refusal> {
    is_seated(seat)?;
    is_playing(state)?;
    if *action == Action::CallTonj {
        may_call(state, seat)?;
        let mut play = Play::on(state);
        let _ = play.close_claim(true);
        return Ok(play.events);
    }
    if state.claim.is_some() {
        return Err(Reason::ClaimOpen.into());
    }
    if state.turn != seat {
        return Err(Reason::NotYourTurn.into());
    }
    let ruling = judge(state, seat, action)?;
    if let Ruling::Faulty(_) = ruling {
        may_open(state)?;
    }
    let mut play = Play::on(state);
    let _ = play.carry_out(action, ruling);
    Ok(play.events)
}

impl Play<'_> {
    fn carry_out(&mut self, action: &Action, ruling: Ruling) -> Course {
        match ruling {
            Ruling::Place(placement) => {
                self.place(placement, Cause::Player)?;
                self.go_on()
            }
            Ruling::Reveal => {
                self.reveal(Cause::Player);
                ControlFlow::Continue(())
            }
            Ruling::Discard => self.discard(Cause::Player),
            Ruling::EndTurn => self.end_turn(TurnEnd::Asked),
            Ruling::Faulty(class) => {
                let offender = self.state.turn;
                self.open_claim(offender, *action, class);
                ControlFlow::Continue(())
            }
        }
    }
}

/// Lets a clock run out (T29, T34).
pub(super) fn expire(state: &mut State, clock: ClockKind) -> Result<Events<Event>, Refusal> {
    is_playing(state)?;
    match (clock, state.claim.is_some()) {
        (ClockKind::Claim, true) => {
            let mut play = Play::on(state);
            let _ = play.close_claim(false);
            Ok(play.events)
        }
        (ClockKind::Turn, false) => {
            let mut play = Play::on(state);
            play.time_out();
            Ok(play.events)
        }
        // While a claim is open the turn clock stands still (T30).
        _ => Err(Reason::NoSuchClock.into()),
    }
}

/// Gives up the match, from either seat and at any time before it is over (T41).
pub(super) fn resign(state: &mut State, seat: Seat) -> Result<Events<Event>, Refusal> {
    is_seated(seat)?;
    match state.phase {
        Phase::NotDealt => Err(Reason::NotStarted.into()),
        Phase::MatchOver => Err(Reason::MatchOver.into()),
        _ => {
            let mut play = Play::on(state);
            play.resign(seat);
            Ok(play.events)
        }
    }
}

/// Deals the first hand (T2, T5).
pub(super) fn start(state: &mut State) -> Result<Events<Event>, Refusal> {
    if state.phase != Phase::NotDealt {
        return Err(Reason::AlreadyStarted.into());
    }
    let deal = state.deal.clone().ok_or(Reason::NotStarted)?;
    let (starter, drawn) = first_starter(&deal, &Table::dealt(&deal, 1));
    let mut play = Play::on(state);
    play.emit(Event::Dealt { hand_number: 1, starter, drawn });
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
        Phase::HandOver => Err(Reason::HandOver.into()),
        Phase::MatchOver => Err(Reason::MatchOver.into()),
    }
}
