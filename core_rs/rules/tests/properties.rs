//! What holds in every match of every game, both ways, along random stories of legal actions, faults, refusals and
//! run-out clocks. What holds in one game alone is in the file of its name.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Command, Told, cards_of, decide, fold, legal, position_of, seats, started, story};
use majlis_rules::digest::digest;
use majlis_rules::games::tonj::Tonj;
use majlis_rules::games::tonj_house::TonjHouse;
use majlis_rules::games::trix::Trix;
use majlis_rules::playout::{Xorshift, playout};
use majlis_rules::position;
use proptest::prelude::*;

const STEPS: usize = 400;

/// T6, X15.
fn every_card_is_in_one_place_after_every_command<R: Told>(number: u64) {
    let all = R::all_cards();
    let end = story::<R>(number, STEPS, |state, _| assert_eq!(cards_of::<R>(state), all));
    assert_eq!(cards_of::<R>(&end), all);
}

/// T44, both ways.
fn an_action_is_listed_exactly_if_it_is_accepted<R: Told>(number: u64) {
    story::<R>(number, 60, |state, _| {
        for seat in seats::<R>() {
            let is_accepted =
                |action: &R::Action| R::decide(state, seat, action).is_ok_and(|done| R::carried_out(&done));
            let (listed, every) = (legal::<R>(state, seat), R::every_action(state, seat));
            for action in &every {
                assert_eq!(listed.contains(action), is_accepted(action), "{action:?}");
            }
            assert!(listed.iter().all(|action| every.contains(action)));
            let twice = |(at, action): (usize, &R::Action)| listed[..at].contains(action);
            assert!(!listed.iter().enumerate().any(twice));
        }
    });
}

fn somebody_can_always_act<R: Told>(number: u64) {
    story::<R>(number, STEPS, |state, _| {
        let awaited = R::to_act(state);
        assert_eq!(awaited.is_none(), R::is_frozen(state));
        assert!(awaited.is_none_or(|seat| !legal::<R>(state, seat).is_empty()));
        assert!(R::on_turn(state).is_none_or(|seat| awaited == Some(seat)));
        assert!(R::clock(state).is_some() && R::outcome(state).is_none());
    });
}

fn a_refusal_changes_nothing_and_playing_is_deciding_and_folding<R: Told>(number: u64) {
    story::<R>(number, STEPS, |state, command| {
        let Command::Act(seat, action) = command else { return };
        let (mut played, mut folded) = (state.clone(), state.clone());
        let decided = R::decide(state, *seat, action);
        assert_eq!(R::play(&mut played, *seat, action), decided);
        if let Ok(events) = decided {
            assert!(!events.is_empty());
            fold::<R>(&mut folded, &events);
        }
        assert_eq!(played, folded);
        assert_eq!(digest::<R>(&played), digest::<R>(&folded));
    });
}

fn the_log_of_a_match_folds_to_the_state_that_was_played<R: Told>(number: u64) {
    let mut chance = Xorshift::new(number);
    let fresh = R::fresh(&mut chance);
    let mut log = R::start(&fresh).unwrap().to_vec();
    let mut state = fresh.clone();
    fold::<R>(&mut state, &log);
    for _ in 0..STEPS {
        if R::is_over(&state) {
            break;
        }
        let command = R::some_command(&state, &mut chance);
        if let Ok(events) = decide::<R>(&state, &command) {
            fold::<R>(&mut state, &events);
            log.extend(events);
        }
    }
    let mut replayed = fresh;
    fold::<R>(&mut replayed, &log);
    assert_eq!(digest::<R>(&replayed), digest::<R>(&state));
    assert_eq!(replayed, state);
}

/// A position can be read again, and goes on as the state it was written from.
fn a_position_reads_back_as_it_was_written<R: Told>(number: u64) {
    let given = common::given();
    story::<R>(number, STEPS, |state, command| {
        let (again, _) = position::read::<R>(&position_of::<R>(state)).unwrap();
        assert_eq!(position::write::<R>(&again, &given), position::write::<R>(state, &given));
        let gist = |state| decide::<R>(state, command).map(|events| R::gist(&events));
        if !matches!(command, Command::Expire(_)) {
            assert_eq!(gist(&again), gist(state));
        }
    });
}

/// Nothing lets a match go on for ever.
fn random_matches_end<R: Told>() {
    let mut chance = Xorshift::new(26);
    for _ in 0..60 {
        let mut state = started::<R>(&mut chance);
        playout::<R>(&mut state, 1_000_000, |sides| chance.below(sides), |_, _, _| {});
        assert!(R::is_over(&state) && R::to_act(&state).is_none() && R::clock(&state).is_none());
        let outcome = R::outcome(&state).unwrap();
        assert!(outcome.match_over && !outcome.winners.is_empty());
    }
}

/// An idle match must stay below 16 KB with all that belongs to it.
fn a_state_is_small<R: Told>() {
    assert!(size_of::<R::State>() <= 3 * 1024, "{} bytes", size_of::<R::State>());
    assert!(size_of::<R::Event>() <= 64, "{} bytes", size_of::<R::Event>());
}

fn debug_shows_no_card<R: Told>() {
    let text = format!("{:?}", started::<R>(&mut Xorshift::new(5)));
    assert!(R::all_cards().iter().all(|card| !text.contains(card.as_str())), "{text}");
}

macro_rules! hold_in {
    ($name:ident, $game:ty) => {
        mod $name {
            use super::*;

            proptest! {
                #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

                #[test]
                fn every_card_is_in_one_place_after_every_command(number: u64) {
                    super::every_card_is_in_one_place_after_every_command::<$game>(number);
                }

                #[test]
                fn an_action_is_listed_exactly_if_it_is_accepted(number: u64) {
                    super::an_action_is_listed_exactly_if_it_is_accepted::<$game>(number);
                }

                #[test]
                fn somebody_can_always_act(number: u64) {
                    super::somebody_can_always_act::<$game>(number);
                }

                #[test]
                fn a_refusal_changes_nothing_and_playing_is_deciding_and_folding(number: u64) {
                    super::a_refusal_changes_nothing_and_playing_is_deciding_and_folding::<$game>(number);
                }

                #[test]
                fn the_log_of_a_match_folds_to_the_state_that_was_played(number: u64) {
                    super::the_log_of_a_match_folds_to_the_state_that_was_played::<$game>(number);
                }

                #[test]
                fn a_position_reads_back_as_it_was_written(number: u64) {
                    super::a_position_reads_back_as_it_was_written::<$game>(number);
                }
            }

            #[test]
            fn random_matches_end() {
                super::random_matches_end::<$game>();
            }

            #[test]
            fn a_state_is_small() {
                super::a_state_is_small::<$game>();
            }

            #[test]
            fn debug_shows_no_card() {
                super::debug_shows_no_card::<$game>();
            }
        }
    };
}

hold_in!(tonj, Tonj);
hold_in!(tonj_house, TonjHouse);
hold_in!(trix, Trix);
