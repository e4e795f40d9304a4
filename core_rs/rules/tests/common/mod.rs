//! Matches for tests: started ones, and stories of legal moves, faults, calls and run-out clocks.
#![allow(dead_code, clippy::unwrap_used, clippy::missing_panics_doc)]

use majlis_rules::deck::DealSource;
use majlis_rules::game::{ClockKind, Events, Rules};
use majlis_rules::games::tonj::{Action, Event, Options, Pile, PileKind, State, TimeoutPolicy, Tonj, attempts};
use majlis_rules::playout::Xorshift;
use majlis_rules::position::{self, Given};
use majlis_rules::refusal::Refusal;
use majlis_rules::seat::Seat;

pub const SEATS: [Seat; 2] = [Seat::ZERO, Seat::ONE];

/// What can be done to a match.
#[derive(Clone, Copy, Debug)]
pub enum Command {
    Act(Seat, Action),
    Expire(ClockKind),
    Resign(Seat),
}

pub fn decide(state: &State, command: &Command) -> Result<Events<Event>, Refusal> {
    match command {
        Command::Act(seat, action) => Tonj::decide(state, *seat, action),
        Command::Expire(clock) => Tonj::expire(state, *clock),
        Command::Resign(seat) => Tonj::resign(state, *seat),
    }
}

pub fn fold(state: &mut State, events: &[Event]) {
    for event in events {
        Tonj::evolve(state, event).unwrap();
    }
}

pub fn before_deal(options: Options, chance: &mut Xorshift) -> State {
    let deal = DealSource::new(chance.seed(), vec![vec![chance.below(256) as u8; chance.below(33)]]).unwrap();
    State::new(options, Some(deal)).unwrap()
}

pub fn started(options: Options, chance: &mut Xorshift) -> State {
    let mut state = before_deal(options, chance);
    let events = Tonj::start(&state).unwrap();
    fold(&mut state, &events);
    state
}

pub fn some_options(chance: &mut Xorshift) -> Options {
    Options {
        target_points: [0, 20, 150][chance.below(3)],
        max_claims_per_turn: [0, 1, 3][chance.below(3)],
        max_transfers_per_turn: [0, 1, 4][chance.below(3)],
        timeout_policy: [TimeoutPolicy::FinishTurn, TimeoutPolicy::OneAction][chance.below(2)],
        ..Options::default()
    }
}

/// The next command of a story: mostly legal, sometimes anything.
pub fn some_command(state: &State, chance: &mut Xorshift) -> Command {
    if let Some(claim) = state.claim() {
        return match chance.below(8) {
            0 | 1 => Command::Act(SEATS[chance.below(2)], some_action(state, chance)),
            2..=4 => Command::Act(claim.offender.opponent(), Action::CallTonj),
            _ => Command::Expire(ClockKind::Claim),
        };
    }
    let seat = state.turn_seat();
    let mut legal = Vec::new();
    Tonj::legal_actions(state, seat, &mut legal);
    match chance.below(40) {
        0 => Command::Expire(ClockKind::Turn),
        1 => Command::Expire(ClockKind::Claim),
        2..=7 => Command::Act(SEATS[chance.below(2)], some_action(state, chance)),
        8 if chance.below(60) == 0 => Command::Resign(SEATS[chance.below(2)]),
        _ => {
            let action = legal.get(chance.below(legal.len())).copied();
            Command::Act(seat, action.unwrap_or_else(|| some_action(state, chance)))
        }
    }
}

/// Any action at all, what cannot be included.
pub fn some_action(state: &State, chance: &mut Xorshift) -> Action {
    let attempts = attempts(state, state.turn_seat());
    match chance.below(4) {
        0 => Action::Move { from: some_pile(chance), to: some_pile(chance), count: chance.below(5) as u32 },
        1 => [Action::Reveal, Action::Discard, Action::EndTurn, Action::CallTonj][chance.below(4)],
        _ => attempts[chance.below(attempts.len())],
    }
}

fn some_pile(chance: &mut Xorshift) -> Pile {
    let kinds = [
        PileKind::Unspecified,
        PileKind::Reserve,
        PileKind::Hand,
        PileKind::Waste,
        PileKind::House,
        PileKind::Foundation,
    ];
    Pile {
        kind: kinds[chance.below(kinds.len())],
        seat: [0, 1, 2, u32::MAX][chance.below(4)],
        index: [None, Some(chance.below(8) as u32), Some(8), Some(u32::MAX)][chance.below(4)],
    }
}

/// All cards that a position of the state shows, by name.
pub fn cards_of(state: &State) -> Vec<String> {
    let position = position::write::<Tonj>(state, &given());
    let mut cards = Vec::new();
    for key in ["reserves", "hands", "wastes", "houses", "foundations"] {
        for pile in position[key].as_array().unwrap() {
            cards.extend(pile.as_array().unwrap().iter().map(|card| card.as_str().unwrap().to_owned()));
        }
    }
    cards.extend(position["pending"].as_str().map(str::to_owned));
    cards.sort_unstable();
    cards
}

pub fn given() -> Given {
    Given::dealt(&DealSource::new([0; 32], Vec::new()).unwrap())
}

/// Every card of two packs, by name.
pub fn two_packs() -> Vec<String> {
    let mut cards = Vec::new();
    for suit in "CDHS".chars() {
        for rank in "A23456789TJQK".chars() {
            cards.extend([format!("{rank}{suit}0"), format!("{rank}{suit}1")]);
        }
    }
    cards.sort_unstable();
    cards
}
