//! Tonj, server edition: two players, each to empty reserve, hand and waste before the other.
//!
//! Rule source: the clauses T1–T44 of `docs/rules`. The way of a command: `decide` asks who may command, `attempt` and
//! `judgement` class it (T29), `play` carries it out and folds each event through `evolve`, and `turn`, `claims`,
//! `timeout` and `ends` bring about what follows. What fits where by the cards alone is `crapette`, what is owed is
//! `duties`, what may be done is `legal`.
//!
//! Where the clauses are silent:
//! - Resigning changes nothing on the table: a claim that was open stays there, with no clock running (T41).
//! - A match of one hand is won by whoever wins the hand, whatever totals a position gives (T28).
//! - A position may show what play cannot bring about. A card is pending beside an empty house and a reserve: the house
//!   is still the reserve's (P3), the discard is not held up by it. The totals have reached the target already: the
//!   hand is played. Nothing is left to do: the turn stands until something is done.

mod action;
mod action_json;
mod attempt;
mod claims;
mod damage;
mod deal;
mod decide;
mod duties;
mod ends;
mod event;
mod evolve;
mod faults;
mod group;
mod judgement;
mod legal;
mod options;
mod play;
mod position;
mod position_text;
mod repetition;
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

pub use crate::crapette::{Foundation, Pile, PileKind, Place, Side, Slot};
pub use action::Action;
pub use event::{Cards, Cause, Event, FaultClass, TurnEnd};
pub use faults::attempts;
pub use options::{Options, TABLE, TimeoutPolicy};
pub use state::{Claim, Phase, State};
pub use view::{OpenClaim, TonjView};

/// The rules of Tonj.
#[derive(Clone, Copy, Debug)]
pub struct Tonj;

impl Rules for Tonj {
    type State = State;
    type Action = Action;
    type Event = Event;

    const NAME: &'static str = "tonj";
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
        (state.phase == Phase::Playing && state.claim.is_none()).then_some(state.turn)
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

impl Positioned for Tonj {
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
        action_json::read(action).map_err(|Malformed| Reason::MalformedAction)
    }

    fn write_action(action: &Action) -> serde_json::Value {
        action_json::write(action)
    }

    fn verdict(events: &[Event]) -> Verdict {
        match events {
            [Event::ClaimOpened { class, .. }] => Verdict::ClaimOpened(class.letter()),
            _ => Verdict::Accepted,
        }
    }
}
