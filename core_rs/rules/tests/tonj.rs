//! What holds in every Tonj match and in no other game: claims, timed turns, and what lies face down.
#![allow(clippy::unwrap_used)]

mod common;

use common::crapette::{SEATS, shuffle_hidden};
use common::{decide, fold, legal, position_of};
use majlis_rules::game::{ClockKind, Rules};
use majlis_rules::games::tonj::{Action, Event, Phase, State, TimeoutPolicy, Tonj, attempts};
use majlis_rules::playout::Xorshift;
use majlis_rules::position;
use majlis_rules::refusal::Reason;
use proptest::prelude::*;

const STEPS: usize = 400;

fn story(number: u64, steps: usize, look: impl FnMut(&State, &common::Command<Action>)) {
    common::story::<Tonj>(number, steps, look);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    /// T30, T41: what is frozen is frozen for both seats, and a claim costs the turn clock nothing.
    #[test]
    fn a_claim_freezes_play_and_the_turn_clock_goes_on_after_it(number: u64) {
        story(number, STEPS, |state, command| {
            let Ok(opened) = decide::<Tonj>(state, command) else { return };
            let [Event::ClaimOpened { offender, .. }] = opened[..] else { return };
            let mut open = state.clone();
            fold::<Tonj>(&mut open, &opened);
            let turn_clock = Tonj::clock(state).unwrap();
            assert_eq!(turn_clock.kind, ClockKind::Turn);
            assert_eq!(Tonj::clock(&open).unwrap().kind, ClockKind::Claim);
            for action in attempts(&open, offender) {
                for seat in SEATS {
                    assert_eq!(Tonj::decide(&open, seat, &action).unwrap_err().reason, Reason::ClaimOpen);
                }
            }
            assert_eq!(Tonj::decide(&open, offender, &Action::CallTonj).unwrap_err().reason, Reason::OwnClaim);
            assert_eq!(Tonj::expire(&open, ClockKind::Turn).unwrap_err().reason, Reason::NoSuchClock);
            let closed = Tonj::expire(&open, ClockKind::Claim).unwrap();
            let same_turn = !closed.iter().any(|event| matches!(event, Event::TurnEnded { .. } | Event::HandEnded { .. }));
            fold::<Tonj>(&mut open, &closed);
            if same_turn {
                assert_eq!(Tonj::clock(&open), Some(turn_clock));
                assert_eq!(open.turn_seat(), offender);
            }
        });
    }

    /// T29: called, the turn is the caller's, or the hand is over.
    #[test]
    fn a_called_claim_passes_the_turn(number: u64) {
        story(number, STEPS, |state, command| {
            let Ok(opened) = decide::<Tonj>(state, command) else { return };
            let [Event::ClaimOpened { offender, .. }] = opened[..] else { return };
            let mut open = state.clone();
            fold::<Tonj>(&mut open, &opened);
            let called = Tonj::decide(&open, offender.opponent(), &Action::CallTonj).unwrap();
            let hand_over = called.iter().any(|event| matches!(event, Event::HandEnded { .. }));
            let started = called.iter().find_map(|event| match event {
                Event::TurnStarted { seat, .. } => Some(*seat),
                _ => None,
            });
            assert!(hand_over || started == Some(offender.opponent()));
        });
    }

    /// T34: a run-out clock opens no claim and, playing the turn out, always ends it.
    #[test]
    fn a_run_out_clock_ends_the_turn_and_opens_no_claim(number: u64) {
        story(number, STEPS, |state, _| {
            let Ok(events) = Tonj::expire(state, ClockKind::Turn) else { return };
            assert!(!events.iter().any(|event| matches!(event, Event::ClaimOpened { .. })));
            let ended = events.iter().any(|event| matches!(event, Event::TurnEnded { .. } | Event::HandEnded { .. }));
            if state.options().timeout_policy == TimeoutPolicy::FinishTurn {
                assert!(ended);
            }
            let mut after = state.clone();
            fold::<Tonj>(&mut after, &events);
            if after.phase() == Phase::Playing {
                assert_ne!(Tonj::clock(&after), Tonj::clock(state), "a fresh clock has a number of its own");
            }
        });
    }
}

/// T35: what is seen, what may be done and how each attempt is judged do not depend on cards that lie face down.
#[test]
fn hidden_cards_make_no_difference_to_what_is_seen_or_judged() {
    for number in 0..20 {
        let mut chance = Xorshift::new(number);
        let mut shuffled = 0;
        story(number, 80, |state, _| {
            let mut position = position_of::<Tonj>(state);
            let (plain, _) = position::read::<Tonj>(&position).unwrap();
            shuffle_hidden(&mut position, &mut chance);
            let (other, _) = position::read::<Tonj>(&position).unwrap();
            shuffled += u32::from(other != plain);
            assert_eq!(other.view(), plain.view());
            for seat in SEATS {
                assert_eq!(legal::<Tonj>(&other, seat), legal::<Tonj>(&plain, seat));
                for action in attempts(&plain, seat) {
                    let judged = |state| match Tonj::decide(state, seat, &action) {
                        Ok(events) => Ok(events.first().map(std::mem::discriminant)),
                        Err(refusal) => Err(refusal),
                    };
                    assert_eq!(judged(&other), judged(&plain), "{action:?}");
                }
            }
        });
        assert!(shuffled > 0);
    }
}
