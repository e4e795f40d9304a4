//! Events of damaged logs: folded or turned away, never a panic, and never a table that could not be.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Told, cards_of, decide, fold, seats, started};
use majlis_rules::game::ClockKind;
use majlis_rules::games::tonj::Tonj;
use majlis_rules::games::tonj_house::TonjHouse;
use majlis_rules::games::trix::Trix;
use majlis_rules::playout::Xorshift;
use proptest::prelude::*;

fn events_of_a_damaged_log_leave_a_possible_table<R: Told>(number: u64) {
    let mut chance = Xorshift::new(number);
    let mut state = started::<R>(&mut chance);
    let all = R::all_cards();
    for _ in 0..300 {
        let before = state.clone();
        match chance.below(3) {
            0 => {
                let event = R::some_event(&state, &mut chance);
                if R::evolve(&mut state, &event).is_err() {
                    assert_eq!(state, before);
                }
            }
            // Rules hold their own on whatever table that left.
            _ if R::clock(&state).is_some() => {
                if let Ok(events) = decide::<R>(&state, &R::some_command(&state, &mut chance)) {
                    fold::<R>(&mut state, &events);
                }
            }
            _ => {
                seats::<R>().for_each(|seat| drop(R::resign(&state, seat)));
                ClockKind::ALL.into_iter().for_each(|clock| drop(R::expire(&state, clock)));
                let _ = (R::clock(&state), R::own_clock(&state), R::outcome(&state));
            }
        }
        assert_eq!(cards_of::<R>(&state), all);
    }
}

/// A log with one event lost, doubled or moved folds to its end only if nothing was lost on the way.
fn a_lost_or_doubled_event_never_panics<R: Told>(number: u64) {
    let mut chance = Xorshift::new(number);
    let fresh = R::fresh(&mut chance);
    let mut state = fresh.clone();
    let mut log = R::start(&fresh).unwrap().to_vec();
    fold::<R>(&mut state, &log);
    for _ in 0..80 {
        if let Ok(events) = decide::<R>(&state, &R::some_command(&state, &mut chance)) {
            fold::<R>(&mut state, &events);
            log.extend(events);
        }
    }
    let at = chance.below(log.len());
    match chance.below(3) {
        0 => drop(log.remove(at)),
        1 => log.insert(at, log[at].clone()),
        _ => log.swap(at, chance.below(at + 1)),
    }
    let mut damaged = fresh;
    for event in &log {
        if R::evolve(&mut damaged, event).is_err() {
            break;
        }
    }
    let cards = cards_of::<R>(&damaged);
    assert!(cards.is_empty() || cards == R::all_cards());
}

macro_rules! hold_in {
    ($name:ident, $game:ty) => {
        mod $name {
            use super::*;

            proptest! {
                #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

                #[test]
                fn events_of_a_damaged_log_leave_a_possible_table(number: u64) {
                    super::events_of_a_damaged_log_leave_a_possible_table::<$game>(number);
                }

                #[test]
                fn a_lost_or_doubled_event_never_panics(number: u64) {
                    super::a_lost_or_doubled_event_never_panics::<$game>(number);
                }
            }
        }
    };
}

hold_in!(tonj, Tonj);
hold_in!(tonj_house, TonjHouse);
hold_in!(trix, Trix);
