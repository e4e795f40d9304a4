//! What holds in every Tonj match, both ways, along random stories of moves, faults, calls and run-out clocks.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Command, SEATS, before_deal, cards_of, decide, fold, some_command, some_options, started, two_packs};
use majlis_rules::digest::digest;
use majlis_rules::game::{ClockKind, Rules};
use majlis_rules::games::tonj::{Action, Event, Options, Phase, State, Tonj, attempts};
use majlis_rules::playout::{Xorshift, playout};
use majlis_rules::refusal::Reason;
use majlis_rules::seat::Seat;
use proptest::prelude::*;

const STEPS: usize = 400;

/// Tells a story and lets `look` see each state with the command that comes next.
fn story(number: u64, steps: usize, mut look: impl FnMut(&State, &Command)) -> State {
    let mut chance = Xorshift::new(number);
    let options = some_options(&mut chance);
    let mut state = started(options, &mut chance);
    for _ in 0..steps {
        if state.phase() == Phase::MatchOver {
            break;
        }
        let command = some_command(&state, &mut chance);
        look(&state, &command);
        if let Ok(events) = decide(&state, &command) {
            fold(&mut state, &events);
        }
    }
    state
}

fn legal(state: &State, seat: Seat) -> Vec<Action> {
    let mut actions = Vec::new();
    Tonj::legal_actions(state, seat, &mut actions);
    actions
}

fn is_accepted(state: &State, seat: Seat, action: &Action) -> bool {
    Tonj::decide(state, seat, action).is_ok_and(|events| !matches!(events[..], [Event::ClaimOpened { .. }]))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    /// T6.
    #[test]
    fn every_card_is_in_one_place_after_every_command(number: u64) {
        let all = two_packs();
        let end = story(number, STEPS, |state, _| assert_eq!(cards_of(state), all));
        prop_assert_eq!(cards_of(&end), all);
    }

    /// T44, both ways.
    #[test]
    fn an_action_is_listed_exactly_if_it_is_accepted(number: u64) {
        story(number, 60, |state, _| {
            for seat in SEATS {
                let mut listed = legal(state, seat);
                let mut accepted: Vec<Action> =
                    attempts(state, seat).into_iter().filter(|action| is_accepted(state, seat, action)).collect();
                let text = |action: &Action| format!("{action:?}");
                listed.sort_by_key(text);
                accepted.sort_by_key(text);
                assert_eq!(listed, accepted);
            }
        });
    }

    #[test]
    fn somebody_can_always_act(number: u64) {
        story(number, STEPS, |state, _| {
            let listed = legal(state, state.turn_seat());
            assert_eq!(listed.is_empty(), state.claim().is_some());
            assert_eq!(Tonj::to_act(state).is_none(), state.claim().is_some());
        });
    }

    #[test]
    fn a_refusal_changes_nothing_and_playing_is_deciding_and_folding(number: u64) {
        story(number, STEPS, |state, command| {
            let Command::Act(seat, action) = command else { return };
            let (mut played, mut folded) = (state.clone(), state.clone());
            let decided = Tonj::decide(state, *seat, action);
            assert_eq!(Tonj::play(&mut played, *seat, action), decided);
            if let Ok(events) = decided {
                assert!(!events.is_empty());
                fold(&mut folded, &events);
            }
            assert_eq!(played, folded);
            assert_eq!(digest::<Tonj>(&played), digest::<Tonj>(&folded));
        });
    }

    #[test]
    fn the_log_of_a_match_folds_to_the_state_that_was_played(number: u64) {
        let mut chance = Xorshift::new(number);
        let options = some_options(&mut chance);
        let fresh = before_deal(options, &mut chance);
        let mut log = Tonj::start(&fresh).unwrap().to_vec();
        let mut state = fresh.clone();
        fold(&mut state, &log);
        for _ in 0..STEPS {
            if state.phase() == Phase::MatchOver {
                break;
            }
            let command = some_command(&state, &mut chance);
            if let Ok(events) = decide(&state, &command) {
                fold(&mut state, &events);
                log.extend(events);
            }
        }
        let mut replayed = fresh;
        fold(&mut replayed, &log);
        prop_assert_eq!(digest::<Tonj>(&replayed), digest::<Tonj>(&state));
        prop_assert_eq!(replayed, state);
    }

    /// T30, T41: what is frozen is frozen for both seats, and a claim costs the turn clock nothing.
    #[test]
    fn a_claim_freezes_play_and_the_turn_clock_goes_on_after_it(number: u64) {
        story(number, STEPS, |state, command| {
            let Ok(opened) = decide(state, command) else { return };
            let [Event::ClaimOpened { offender, .. }] = opened[..] else { return };
            let mut open = state.clone();
            fold(&mut open, &opened);
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
            fold(&mut open, &closed);
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
            let Ok(opened) = decide(state, command) else { return };
            let [Event::ClaimOpened { offender, .. }] = opened[..] else { return };
            let mut open = state.clone();
            fold(&mut open, &opened);
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
            if state.options().timeout_policy == majlis_rules::games::tonj::TimeoutPolicy::FinishTurn {
                assert!(ended);
            }
            let mut after = state.clone();
            fold(&mut after, &events);
            if after.phase() == Phase::Playing {
                assert_ne!(Tonj::clock(&after), Tonj::clock(state), "a fresh clock has a number of its own");
            }
        });
    }

    /// A position can be read again, and goes on as the state it was written from.
    #[test]
    fn a_position_reads_back_as_it_was_written(number: u64) {
        let given = common::given();
        story(number, STEPS, |state, command| {
            let mut position = majlis_rules::position::write::<Tonj>(state, &given);
            let options = state.options();
            position.insert("options".into(), serde_json::json!({
                "maxClaimsPerTurn": options.max_claims_per_turn,
                "maxTransfersPerTurn": options.max_transfers_per_turn,
                "timeoutPolicy": options.timeout_policy.name(),
            }));
            let (again, _) = majlis_rules::position::read::<Tonj>(&position).unwrap();
            assert_eq!(majlis_rules::position::write::<Tonj>(&again, &given), majlis_rules::position::write::<Tonj>(state, &given));
            let verdict = |result: Result<_, _>| result.map(|events: majlis_rules::game::Events<Event>| {
                events.iter().filter(|event| matches!(event, Event::CardsMoved { .. } | Event::CardRevealed { .. })).count()
            });
            if !matches!(command, Command::Expire(_)) {
                assert_eq!(verdict(decide(&again, command)), verdict(decide(state, command)));
            }
        });
    }
}

/// T35: what is seen, what may be done and how each attempt is judged do not depend on cards that lie face down.
#[test]
fn hidden_cards_make_no_difference_to_what_is_seen_or_judged() {
    let given = common::given();
    for number in 0..20 {
        let mut chance = Xorshift::new(number);
        let mut shuffled = 0;
        story(number, 80, |state, _| {
            let mut position = majlis_rules::position::write::<Tonj>(state, &given);
            position.insert(
                "options".into(),
                serde_json::json!({"maxTransfersPerTurn": state.options().max_transfers_per_turn,
                "maxClaimsPerTurn": state.options().max_claims_per_turn}),
            );
            let (plain, _) = majlis_rules::position::read::<Tonj>(&position).unwrap();
            shuffle_hidden(&mut position, &mut chance);
            let (other, _) = majlis_rules::position::read::<Tonj>(&position).unwrap();
            shuffled += u32::from(other != plain);
            assert_eq!(other.view(), plain.view());
            for seat in SEATS {
                assert_eq!(legal(&other, seat), legal(&plain, seat));
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

/// Exchanges all cards that nobody sees: hands, what lies under the tops of reserves and of wastes.
fn shuffle_hidden(position: &mut majlis_rules::position::Object, chance: &mut Xorshift) {
    let mut places = Vec::new();
    for key in ["hands", "reserves", "wastes"] {
        for seat in [0, 1] {
            let count = position[key][seat].as_array().unwrap().len();
            let hidden = if key == "hands" { count } else { count.saturating_sub(1) };
            places.extend((0..hidden).map(|at| (key, seat, at)));
        }
    }
    for last in (1..places.len()).rev() {
        let ((a, b, c), (d, e, f)) = (places[last], places[chance.below(last + 1)]);
        let (first, second) = (position[a][b][c].take(), position[d][e][f].take());
        if (a, b, c) == (d, e, f) {
            position[a][b][c] = first;
        } else {
            position[a][b][c] = second;
            position[d][e][f] = first;
        }
    }
}

/// T26, T27 and the bounded turn let no match go on for ever.
#[test]
fn random_matches_end() {
    let mut chance = Xorshift::new(26);
    for _ in 0..60 {
        let mut state = started(Options::default(), &mut chance);
        playout::<Tonj>(&mut state, 1_000_000, |sides| chance.below(sides), |_, _, _| {});
        assert_eq!(state.phase(), Phase::MatchOver);
        let outcome = Tonj::outcome(&state).unwrap();
        assert!(outcome.match_over && !outcome.winners.is_empty());
    }
}

/// An idle match must stay below 16 KB with all that belongs to it.
#[test]
fn a_state_is_small() {
    assert!(size_of::<State>() <= 3 * 1024, "{} bytes", size_of::<State>());
    assert!(size_of::<Event>() <= 64, "{} bytes", size_of::<Event>());
}

#[test]
fn debug_shows_no_card() {
    let state = started(Options::default(), &mut Xorshift::new(5));
    let text = format!("{state:?}");
    assert!(two_packs().iter().all(|card| !text.contains(card.as_str())), "{text}");
}
