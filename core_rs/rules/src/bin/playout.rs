//! Plays random matches and tells how many decisions a second one core makes: legal actions, a choice, the move.
//!
//! Usage: playout GAME [MATCHES [NUMBER]]

#![allow(clippy::disallowed_methods, reason = "it measures")]

use std::process::ExitCode;
use std::time::Instant;

use majlis_rules::deck::DealSource;
use majlis_rules::for_game;
use majlis_rules::playout::{Xorshift, playout};
use majlis_rules::position::Positioned;

/// More decisions than any match takes.
const MOST: u64 = 10_000_000;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let game = arguments.next().unwrap_or_default();
    let mut numbers = arguments.filter_map(|argument| argument.parse::<u64>().ok());
    let (matches, number) = (numbers.next().unwrap_or(20_000), numbers.next().unwrap_or(1));
    match for_game!(game.as_str(), measure(matches, number)) {
        Some(()) => ExitCode::SUCCESS,
        None => {
            eprintln!("usage: playout GAME [MATCHES [NUMBER]]");
            ExitCode::FAILURE
        }
    }
}

fn measure<R: Positioned>(matches: u64, number: u64) {
    let mut chance = Xorshift::new(number);
    let (mut decisions, mut seconds, mut longest) = (0, 0.0, 0);
    for _ in 0..matches {
        let deal = DealSource::new(chance.seed(), Vec::new()).ok();
        let Some((mut state, _)) = deal.and_then(|deal| R::after_deal(deal, 1).ok()) else { continue };
        let begun = Instant::now();
        let made = playout::<R>(&mut state, MOST, |sides| chance.below(sides), |_, _, _| {});
        seconds += begun.elapsed().as_secs_f64();
        decisions += made;
        longest = longest.max(made);
    }
    let (game, rate) = (R::NAME, decisions as f64 / seconds / 1e6);
    println!("{game}: {matches} matches, {decisions} decisions, the longest match {longest}, {rate:.2} M decisions/s");
}
