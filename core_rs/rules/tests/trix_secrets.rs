//! What nobody may learn at a Trix table: other hands, and who was asked or has answered while cards may be doubled.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Command, Told, cards_of, decide, fold, legal, position_of, story};
use majlis_rules::game::Rules;
use majlis_rules::games::trix::{Action, Event, Phase, State, Trix};
use majlis_rules::playout::Xorshift;
use majlis_rules::position;
use majlis_rules::refusal::{Reason, Refusal};
use majlis_rules::seat::Seat;
use proptest::prelude::*;

const VIEWERS: [Option<Seat>; 5] =
    [None, Some(Seat::FOUR[0]), Some(Seat::FOUR[1]), Some(Seat::FOUR[2]), Some(Seat::FOUR[3])];

/// What a command of a seat tells it at once: a refusal, or its own deed.
fn answer(state: &State, seat: Seat, action: &Action) -> Result<Event, Refusal> {
    Trix::decide(state, seat, action).map(|events| events[0].clone())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    /// X5, X13, X20: nothing that a viewer sees, may do or is told depends on what is hidden from him.
    #[test]
    fn what_is_hidden_makes_no_difference(number: u64) {
        let mut chance = Xorshift::new(number ^ 1);
        let mut changed = 0;
        story::<Trix>(number, 150, |state, _| {
            let viewer = VIEWERS[chance.below(5)];
            let other = state.otherwise(viewer, |sides| chance.below(sides));
            changed += u32::from(other != *state);
            assert_eq!(cards_of::<Trix>(&other), Trix::all_cards());
            assert!(position::read::<Trix>(&position_of::<Trix>(&other)).is_ok(), "another possible table");
            assert_eq!(other.view(viewer), state.view(viewer));
            assert_eq!(Trix::on_turn(&other), Trix::on_turn(state));
            assert_eq!(Trix::clock(&other), Trix::clock(state));
            assert_eq!(Trix::outcome(&other), Trix::outcome(state));
            let Some(seat) = viewer else { return };
            assert_eq!(legal::<Trix>(&other, seat), legal::<Trix>(state, seat));
            assert_eq!(other.may_double(seat), state.may_double(seat));
            if Trix::on_turn(state) == viewer {
                assert_eq!(Trix::own_clock(&other), Trix::own_clock(state));
            }
            for action in Trix::every_action(state, seat) {
                assert_eq!(answer(&other, seat, &action), answer(state, seat, &action), "{action:?}");
            }
        });
        assert!(changed > 0);
    }

    /// X16: only an answer is hidden; while the window is open it changes nothing for anybody else.
    #[test]
    fn an_answer_is_seen_by_nobody_else(number: u64) {
        story::<Trix>(number, 400, |state, command| {
            let Ok(events) = decide::<Trix>(state, command) else { return };
            let answered = matches!(command, Command::Act(_, Action::AnswerDouble(_)));
            for event in &events {
                assert_eq!(event.is_hidden(), matches!(event, Event::DoubleAnswered { .. }));
                assert!(!event.is_hidden() || answered);
            }
            let mut after = state.clone();
            fold::<Trix>(&mut after, &events);
            if answered && after.phase() == Phase::Doubling {
                assert_eq!(events.len(), 1);
                for viewer in VIEWERS {
                    assert_eq!(after.view(viewer), state.view(viewer));
                }
                assert_eq!(Trix::clock(&after), Trix::clock(state));
                assert_eq!(Trix::on_turn(&after), None);
            }
        });
    }

    /// A log without the hidden events folds to the same table whenever no window is open.
    #[test]
    fn a_replay_needs_no_hidden_event(number: u64) {
        let mut chance = Xorshift::new(number);
        let mut state = Trix::fresh(&mut chance);
        let mut replay = state.clone();
        let mut events = Trix::start(&state).unwrap();
        for _ in 0..400 {
            fold::<Trix>(&mut state, &events);
            events.retain(|event| !event.is_hidden());
            fold::<Trix>(&mut replay, &events);
            if state.phase() == Phase::Doubling {
                assert_eq!(replay.view(None), state.view(None));
            } else {
                assert_eq!(replay, state);
            }
            if Trix::is_over(&state) {
                break;
            }
            let command = Trix::some_command(&state, &mut chance);
            events = decide::<Trix>(&state, &command).unwrap_or_default();
        }
    }

    /// X4, X20: what an answer is refused for, from the caller's own hand and what everybody knows.
    #[test]
    fn an_answer_is_judged_by_the_callers_hand_alone(number: u64) {
        let mut answered = [false; 4];
        story::<Trix>(number, 400, |state, command| {
            if state.phase() != Phase::Doubling {
                answered = [false; 4];
            }
            let contract = state.view(None).contract;
            let in_window = |seat: Seat| {
                let doublable = contract.filter(|_| state.phase() == Phase::Doubling)?.doublable();
                Some((doublable, state.view(Some(seat)).hand))
            };
            for seat in Seat::FOUR {
                for action in Trix::every_action(state, seat) {
                    let Action::AnswerDouble(named) = action else { continue };
                    let expected = match in_window(seat) {
                        None => Some(Reason::WrongPhase),
                        Some((doublable, hand)) if hand.intersection(doublable).is_empty() => Some(Reason::NotAsked),
                        Some(_) if answered[seat.index()] => Some(Reason::AlreadyAnswered),
                        Some(_) if named.twice => Some(Reason::CardNamedTwice),
                        Some((doublable, _)) if !named.cards.is_subset(doublable) => Some(Reason::CardNotDoublable),
                        Some((_, hand)) if !named.cards.is_subset(hand) => Some(Reason::CardNotInHand),
                        Some(_) => None,
                    };
                    assert_eq!(Trix::decide(state, seat, &action).map_err(|no| no.reason).err(), expected);
                }
            }
            if let (Command::Act(seat, Action::AnswerDouble(_)), Ok(_)) = (command, decide::<Trix>(state, command)) {
                answered[seat.index()] = true;
            }
        });
    }
}
