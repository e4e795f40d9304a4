//! Trix: four players, each for himself; four kingdoms of five contracts (X1–X21).
//!
//! Rule source: the clauses X1–X21 of `docs/rules`. The way of a command: `decide` asks who may command and what,
//! `play` carries it out and folds each event through `evolve`, `ends` and `timeout` bring about what follows. What may
//! be played is `legal`, what it costs is `scoring`, who may double is `doubling`, which clock runs is `clocks`, and
//! what a viewer sees is `view`.
//!
//! Where the clauses are silent:
//! - A deal that has ended without another one to follow takes no command but a resignation: `WRONG_PHASE`.
//! - A number that is no contract's names none (`NO_SUCH_CONTRACT`); no number at all is malformed.
//! - A position stands after all that happens by itself (`position_checks`): no fourth card in a trick, no window that
//!   all have answered, no deal that is over but goes on; none that is over where `deal_seed` has the next.
//! - A partial table that runs out of cards before it scores anything scores nothing.

mod action;
mod action_json;
mod card_set;
mod clocks;
mod contract;
mod damage;
mod deal;
mod decide;
mod doubling;
mod ends;
mod event;
mod evolve;
mod four;
mod legal;
mod options;
mod otherwise;
mod play;
mod position;
mod position_checks;
mod position_text;
mod retrace;
mod scoring;
mod state;
mod taken;
mod timeout;
mod trick;
mod view;

use crate::deck::DealSource;
use crate::game::{ClockKind, Events, Outcome, Rules, RunningClock, Unfoldable};
use crate::position::{Fault, Given, Keys, Object, Positioned, Verdict};
use crate::refusal::{Reason, Refusal};
use crate::seat::Seat;

pub use action::{Action, Named};
pub use card_set::{CardSet, Cards};
pub use contract::Contract;
pub use event::Event;
pub use options::{ForcedCapture, Options, TABLE};
pub use state::{Phase, State};
pub use view::TrixView;

/// The rules of Trix.
#[derive(Clone, Copy, Debug)]
pub struct Trix;

impl Rules for Trix {
    type State = State;
    type Action = Action;
    type Event = Event;

    const NAME: &'static str = "trix";
    const SEATS: u32 = 4;

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

    fn retrace(state: &State, events: &[Event]) -> Result<usize, Unfoldable> {
        retrace::retrace(state, events)
    }

    fn play(state: &mut State, seat: Seat, action: &Action) -> Result<Events<Event>, Refusal> {
        decide::play(state, seat, action)
    }

    fn to_act(state: &State) -> Option<Seat> {
        state.on_turn().or_else(|| state.first_asked())
    }

    fn on_turn(state: &State) -> Option<Seat> {
        state.on_turn()
    }

    fn legal_actions(state: &State, seat: Seat, actions: &mut Vec<Action>) {
        legal::legal_actions(state, seat, actions);
    }

    /// No attempt is faulty here: it is legal, or refused.
    fn after_faults(_: &State, _: Seat, _: &mut dyn FnMut(State)) {}

    fn clock(state: &State) -> Option<RunningClock> {
        state.clock()
    }

    fn own_clock(state: &State) -> Option<RunningClock> {
        state.own_clock()
    }

    fn outcome(state: &State) -> Option<Outcome> {
        state.outcome()
    }
}

impl Positioned for Trix {
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
        action_json::read(action)
    }

    fn write_action(action: &Action) -> serde_json::Value {
        action_json::write(action)
    }

    fn verdict(_: &[Event]) -> Verdict {
        Verdict::Accepted
    }
}
