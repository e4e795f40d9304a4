//! Where commands come in: who may command now, and what each may ask for. Everything works on the state it is given
//! and leaves it untouched when it refuses.

use super::action::Action;
use super::deal;
use super::doubling::may_answer;
use super::event::Event;
use super::legal;
use super::play::Play;
use super::state::{Phase, State};
use crate::card::Card;
use crate::game::{ClockKind, Events};
use crate::refusal::{Reason, Refusal};
use crate::seat::Seat;

type Judged = Result<(), Refusal>;

/// Judges a command of `seat` and carries it out.
pub(super) fn play(state: &mut State, seat: Seat, action: &Action) -> Result<Events<Event>, Refusal> {
    is_running(state)?;
    match *action {
        Action::ChooseContract(contract) => {
            is_phase(state, Phase::Choosing)?;
            is_on_turn(state, seat)?;
            if state.played.contains(&contract) {
                return Err(Reason::ContractAlreadyPlayed.into());
            }
        }
        Action::AnswerDouble(named) => may_answer(state, seat, named)?,
        Action::PlayCard(card) => may_play(state, seat, card)?,
        Action::Pass => {
            is_phase(state, Phase::Layout)?;
            is_on_turn(state, seat)?;
            if !legal::cards(state).is_empty() {
                return Err(Reason::CardCanBePlayed.into());
            }
        }
    }
    let mut play = Play::on(state);
    play.carry_out(seat, action);
    Ok(play.events)
}

fn may_play(state: &State, seat: Seat, card: Card) -> Judged {
    let why_not = match state.phase {
        Phase::Tricks => Reason::MustFollowSuit,
        Phase::Layout => Reason::CardDoesNotFit,
        _ => return Err(Reason::WrongPhase.into()),
    };
    is_on_turn(state, seat)?;
    if !state.hands[seat].contains(card) {
        return Err(Reason::CardNotInHand.into());
    }
    if legal::cards(state).contains(card) { Ok(()) } else { Err(why_not.into()) }
}

/// Lets a clock run out: one that everybody sees (X3, X4, X14), or the one within it (X11, X17).
pub(super) fn expire(state: &mut State, clock: ClockKind) -> Result<Events<Event>, Refusal> {
    is_running(state)?;
    let is_public = state.clock().is_some_and(|running| running.kind == clock);
    let is_own = state.own_clock().is_some_and(|running| running.kind == clock);
    let mut play = Play::on(state);
    match clock {
        ClockKind::Double if is_public => play.show_doubles(),
        ClockKind::Choose | ClockKind::Play if is_public => play.time_out(clock),
        ClockKind::Auto | ClockKind::Away if is_own => play.act_for_absent(),
        _ => return Err(Reason::NoSuchClock.into()),
    }
    Ok(play.events)
}

/// Gives a seat up, at any time before the match is over (X17). Giving it up once more is no news: whoever repeats it
/// makes nobody's view stale.
pub(super) fn resign(state: &mut State, seat: Seat) -> Result<Events<Event>, Refusal> {
    is_running(state)?;
    let mut play = Play::on(state);
    if !play.state.away[seat] {
        play.emit(Event::Resigned { seat });
    }
    Ok(play.events)
}

/// Deals the first deal (X2, X3).
pub(super) fn start(state: &mut State) -> Result<Events<Event>, Refusal> {
    if state.phase != Phase::NotDealt {
        return Err(Reason::AlreadyStarted.into());
    }
    let owner = deal::first_owner(state.deal().ok_or(Reason::NotStarted)?);
    let mut play = Play::on(state);
    play.deal(1, owner);
    Ok(play.events)
}

fn is_running(state: &State) -> Judged {
    match state.phase {
        Phase::NotDealt => Err(Reason::NotStarted.into()),
        Phase::MatchOver => Err(Reason::MatchOver.into()),
        _ => Ok(()),
    }
}

fn is_phase(state: &State, phase: Phase) -> Judged {
    if state.phase == phase { Ok(()) } else { Err(Reason::WrongPhase.into()) }
}

fn is_on_turn(state: &State, seat: Seat) -> Judged {
    if state.on_turn() == Some(seat) { Ok(()) } else { Err(Reason::NotYourTurn.into()) }
}
