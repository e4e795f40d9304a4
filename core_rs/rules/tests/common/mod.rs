//! Matches for tests: what every game must offer so that stories of it can be told, and the telling.
#![allow(dead_code, clippy::unwrap_used, clippy::missing_panics_doc)]

pub mod crapette;
pub mod tonj;
pub mod tonj_house;
pub mod trix;

use majlis_rules::deck::DealSource;
use majlis_rules::game::{ClockKind, Events};
use majlis_rules::playout::Xorshift;
use majlis_rules::position::{self, Given, Object, Positioned};
use majlis_rules::refusal::Refusal;
use majlis_rules::seat::Seat;
use serde_json::Value;

/// What can be done to a match.
#[derive(Clone, Copy, Debug)]
pub enum Command<A> {
    Act(Seat, A),
    Expire(ClockKind),
    Resign(Seat),
}

/// A game of which stories can be told.
pub trait Told: Positioned {
    /// A match before its first deal, with options by chance.
    fn fresh(chance: &mut Xorshift) -> Self::State;
    /// The next command of a story: mostly legal, sometimes anything.
    fn some_command(state: &Self::State, chance: &mut Xorshift) -> Command<Self::Action>;
    /// Every action of a seat that could conceivably be legal.
    fn every_action(state: &Self::State, seat: Seat) -> Vec<Self::Action>;
    /// Whether those events carried an action out, rather than judged it faulty.
    fn carried_out(events: &[Self::Event]) -> bool;
    /// An event about nothing in particular; mostly of seats and cards that are there.
    fn some_event(state: &Self::State, chance: &mut Xorshift) -> Self::Event;
    /// Whether the match is over.
    fn is_over(state: &Self::State) -> bool;
    /// Whether no seat is awaited although the match goes on.
    fn is_frozen(state: &Self::State) -> bool;
    /// The options of a match as a position gives them.
    fn options(state: &Self::State) -> Value;
    /// All cards that a position shows, by name and sorted.
    fn cards_of(position: &Object) -> Vec<String>;
    /// All cards that there are, by name and sorted.
    fn all_cards() -> Vec<String>;
    /// What of a command's events does not hang on what no position tells.
    fn gist(events: &[Self::Event]) -> Vec<Self::Event>;
}

pub fn seats<R: Told>() -> impl Iterator<Item = Seat> {
    (0..R::SEATS).filter_map(|number| Seat::at_table(number, R::SEATS))
}

pub fn decide<R: Told>(state: &R::State, command: &Command<R::Action>) -> Result<Events<R::Event>, Refusal> {
    match command {
        Command::Act(seat, action) => R::decide(state, *seat, action),
        Command::Expire(clock) => R::expire(state, *clock),
        Command::Resign(seat) => R::resign(state, *seat),
    }
}

pub fn fold<R: Told>(state: &mut R::State, events: &[R::Event]) {
    for event in events {
        R::evolve(state, event).unwrap();
    }
}

pub fn started<R: Told>(chance: &mut Xorshift) -> R::State {
    let mut state = R::fresh(chance);
    let events = R::start(&state).unwrap();
    fold::<R>(&mut state, &events);
    state
}

/// Tells a story of that number and lets `look` see each state with the command that comes next.
pub fn story<R: Told>(number: u64, steps: usize, mut look: impl FnMut(&R::State, &Command<R::Action>)) -> R::State {
    let mut chance = Xorshift::new(number);
    let mut state = started::<R>(&mut chance);
    for _ in 0..steps {
        if R::is_over(&state) {
            break;
        }
        let command = R::some_command(&state, &mut chance);
        look(&state, &command);
        if let Ok(events) = decide::<R>(&state, &command) {
            fold::<R>(&mut state, &events);
        }
    }
    state
}

pub fn legal<R: Told>(state: &R::State, seat: Seat) -> Vec<R::Action> {
    let mut actions = Vec::new();
    R::legal_actions(state, seat, &mut actions);
    actions
}

/// The cards of a state, wherever they are.
pub fn cards_of<R: Told>(state: &R::State) -> Vec<String> {
    R::cards_of(&position::write::<R>(state, &given()))
}

/// A position of the state that can be read again.
pub fn position_of<R: Told>(state: &R::State) -> Object {
    let mut position = position::write::<R>(state, &given());
    position.insert("options".into(), R::options(state));
    position
}

pub fn given() -> Given {
    Given::dealt(&DealSource::new([0; 32], Vec::new()).unwrap())
}

pub fn some_deal(chance: &mut Xorshift) -> DealSource {
    DealSource::new(chance.seed(), vec![vec![chance.below(256) as u8; chance.below(33)]]).unwrap()
}

pub fn names(list: &Value) -> impl Iterator<Item = String> {
    list.as_array().unwrap().iter().map(|card| card.as_str().unwrap().to_owned())
}
