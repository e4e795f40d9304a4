//! Tonj, house edition: two players, one duty, an automatic penalty instead of claims, finished suits leave the table,
//! stakes.
//!
//! Rule source: the clauses H1–H29 of `docs/rules`. The way of a command: `decide` asks who may command, `judgement`
//! refuses, cancels or allows (H8–H11), `play` carries it out and folds each event through `evolve`, and `turn`,
//! `penalty`, `timeout` and `ends` bring about what follows. What a seat can place is `scene`, what fits where by the
//! cards alone `crapette`, what a match pays `settlement`.
//!
//! Where the clauses are silent:
//! - A match has one deal and one hand: a position's `hand_number` is 1.
//! - A pass that H13 forbids is refused for the opened card (`CARD_PENDING`): without one there is nothing left to open.
//! - A seat without any card that a partial position shows wins by its next placement, not by passing.

mod action;
mod damage;
mod deal;
mod decide;
mod ends;
mod event;
mod evolve;
mod faults;
mod judgement;
mod legal;
mod options;
mod penalty;
mod play;
mod position;
mod position_checks;
mod position_text;
mod scene;
mod state;
mod timeout;
mod turn;
mod view;

use crate::deck::DealSource;
use crate::game::{ClockKind, Events, Outcome, Rules, RunningClock, Unfoldable};
use crate::json::Malformed;
use crate::position::{Fault, Given, Keys, Object, Positioned, Verdict};
use crate::refusal::{Reason, Refusal};
use crate::seat::Seat;

pub use action::Action;
pub use event::{Cause, Event, TurnEnd};
pub use faults::attempts;
pub use options::{Options, PenaltySource, TABLE};
pub use state::{Phase, State};
pub use view::TonjHouseView;

/// The rules of the house edition of Tonj.
#[derive(Clone, Copy, Debug)]
pub struct TonjHouse;

impl Rules for TonjHouse {
    type State = State;
    type Action = Action;
    type Event = Event;

    const NAME: &'static str = "tonj_house";
    const SEATS: u32 = 2;

    fn start(state: &State) -> Result<Events<Event>, Refusal> {
        decide::start(&mut state.clone())
    }

    fn decide(state: &State, seat: Seat, action: &Action) -> Result<Events<Event>, Refusal> {
        decide::play(&mut state.clone(), seat, action)
    }

    fn expire(state: &State, clock: ClockKind) -> Result<Events<Event>, Refusal> {
        decide::expire(&mut state.clone(), clock)
    }

    fn resign(state: &State, seat: Seat) -> Result<Events<Event>, Refusal> {
        decide::resign(&mut state.clone(), seat)
    }

    fn evolve(state: &mut State, event: &Event) -> Result<(), Unfoldable> {
        evolve::evolve(state, event)
    }

    fn play(state: &mut State, seat: Seat, action: &Action) -> Result<Events<Event>, Refusal> {
        decide::play(state, seat, action)
    }

    fn to_act(state: &State) -> Option<Seat> {
        (state.phase == Phase::Playing).then_some(state.turn)
    }

    fn legal_actions(state: &State, seat: Seat, actions: &mut Vec<Action>) {
        legal::legal_actions(state, seat, actions);
    }

    fn after_faults(state: &State, seat: Seat, found: &mut dyn FnMut(State)) {
        faults::after_faults(state, seat, found);
    }

    fn clock(state: &State) -> Option<RunningClock> {
        state.clock()
    }

    fn outcome(state: &State) -> Option<Outcome> {
        state.outcome()
    }
}

impl Positioned for TonjHouse {
    const KEYS: &'static [&'static str] = position_text::KEYS;

    fn read(given: &Given, keys: &Keys<'_>) -> Result<State, Fault> {
        position::read(given, keys)
    }

    fn write(state: &State) -> Object {
        position_text::write(state)
    }

    fn canonical_text(state: &State) -> String {
        position_text::canonical_text(state)
    }

    fn after_deal(deal: DealSource, number: u32) -> Result<(State, Given), Fault> {
        deal::after_deal(deal, number)
    }

    fn read_action(action: &serde_json::Value) -> Result<Action, Reason> {
        action::read(action).map_err(|Malformed| Reason::MalformedAction)
    }

    fn write_action(action: &Action) -> serde_json::Value {
        action::write(action)
    }

    fn verdict(events: &[Event]) -> Verdict {
        match events {
            [Event::Penalised { .. }, ..] => Verdict::Penalty,
            _ => Verdict::Accepted,
        }
    }
}
