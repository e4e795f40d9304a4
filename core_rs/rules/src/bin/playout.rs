//! Plays random matches and tells how many decisions a second one core makes: legal actions, a choice, the move.
//!
//! Usage: playout [MATCHES [NUMBER]]

#![allow(clippy::disallowed_methods, reason = "it measures")]

use std::time::Instant;

use majlis_rules::deck::DealSource;
use majlis_rules::game::Rules;
use majlis_rules::games::tonj::{Options, State, Tonj};
use majlis_rules::playout::{Xorshift, playout};

/// More decisions than any match takes.
const MOST: u64 = 10_000_000;

fn main() {
    let mut arguments = std::env::args().skip(1).filter_map(|argument| argument.parse::<u64>().ok());
    let matches = arguments.next().unwrap_or(20_000);
    let mut chance = Xorshift::new(arguments.next().unwrap_or(1));
    let (mut decisions, mut seconds, mut longest) = (0, 0.0, 0);
    for _ in 0..matches {
        let Some(mut state) = started(chance.seed()) else { continue };
        let begun = Instant::now();
        let made = playout::<Tonj>(&mut state, MOST, |sides| chance.below(sides), |_, _, _| {});
        seconds += begun.elapsed().as_secs_f64();
        decisions += made;
        longest = longest.max(made);
    }
    let rate = decisions as f64 / seconds / 1e6;
    println!("tonj: {matches} matches, {decisions} decisions, the longest match {longest}, {rate:.2} M decisions/s");
}

fn started(seed: [u8; 32]) -> Option<State> {
    let deal = DealSource::new(seed, Vec::new()).ok()?;
    let mut state = State::new(Options::default(), Some(deal)).ok()?;
    for event in &Tonj::start(&state).ok()? {
        Tonj::evolve(&mut state, event).ok()?;
    }
    Some(state)
}
