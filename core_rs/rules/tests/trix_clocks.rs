//! Clocks and absences of Trix: what the server plays, when, and who is told.
#![allow(clippy::unwrap_used)]

mod common;

use common::trix::height;
use common::{Command, decide, fold, legal, story};
use majlis_rules::card::{Card, Rank};
use majlis_rules::game::{ClockKind, Rules};
use majlis_rules::games::trix::{Action, Event, Phase, State, Trix};
use majlis_rules::refusal::Reason;
use majlis_rules::seat::Seat;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// X3, X14: what the server plays is always the same, legal, and named as a time-out; a resignation changes none
    /// of it, and only the delay is another (X17).
    #[test]
    fn the_server_plays_what_the_clauses_say(number: u64) {
        story::<Trix>(number, 400, |state, _| {
            let clock = Trix::clock(state).unwrap();
            let Some(seat) = Trix::on_turn(state) else {
                assert_eq!(clock.kind, ClockKind::Double);
                return;
            };
            let expired = Trix::expire(state, clock.kind).unwrap();
            assert_eq!(expired[0], Event::TimedOut { seat, clock: clock.kind });
            let wanted = default_action(state, seat);
            let played = match wanted {
                Action::ChooseContract(contract) => Event::ContractChosen { contract },
                Action::PlayCard(card) => Event::CardPlayed { seat, card },
                _ => Event::Passed { seat },
            };
            assert_eq!(expired[1], played);
            let mut away = state.clone();
            fold::<Trix>(&mut away, &Trix::resign(state, seat).unwrap());
            assert_eq!(Trix::expire(&away, clock.kind).unwrap(), expired);
            assert_eq!(Trix::expire(&away, ClockKind::Away).unwrap()[..], expired[1..]);
            assert_eq!(Trix::clock(&away), Some(clock));
        });
    }

    /// X11, X17: the clocks that only the seat on turn may know of.
    #[test]
    fn own_clocks_run_when_they_should(number: u64) {
        story::<Trix>(number, 400, |state, _| {
            let own = Trix::own_clock(state);
            let options = state.options();
            let expected = Trix::on_turn(state).and_then(|seat| {
                let single = state.phase() == Phase::Layout && legal::<Trix>(state, seat).len() == 1;
                let delay = options.auto_play_delay_ms.filter(|&delay| single && delay > 0);
                if state.is_away(seat) {
                    Some((ClockKind::Away, options.away_delay_ms))
                } else {
                    delay.map(|delay| (ClockKind::Auto, delay))
                }
            });
            assert_eq!(own.map(|clock| (clock.kind, clock.length_ms)), expected);
            for clock in ClockKind::ALL {
                let runs = [Trix::clock(state), own].into_iter().flatten().any(|running| running.kind == clock);
                let refused = Trix::expire(state, clock).map_err(|refusal| refusal.reason).err();
                assert_eq!(refused, (!runs).then_some(Reason::NoSuchClock));
            }
        });
    }

    /// A clock that starts afresh has a number of its own; what is hidden starts none.
    #[test]
    fn clocks_start_afresh_with_each_turn(number: u64) {
        story::<Trix>(number, 400, |state, command| {
            let Ok(events) = decide::<Trix>(state, command) else { return };
            let mut after = state.clone();
            fold::<Trix>(&mut after, &events);
            let silent = |event: &Event| event.is_hidden() || matches!(event, Event::Resigned { .. });
            let same = Trix::clock(&after).map(|clock| clock.armed) == Trix::clock(state).map(|clock| clock.armed);
            assert_eq!(same, events.iter().all(silent));
        });
    }

    /// X17: it is told when a seat leaves, and when it acts again.
    #[test]
    fn a_seat_is_away_until_it_acts(number: u64) {
        story::<Trix>(number, 400, |state, command| {
            let Ok(events) = decide::<Trix>(state, command) else { return };
            let mut after = state.clone();
            fold::<Trix>(&mut after, &events);
            for seat in Seat::FOUR {
                let acts = matches!(command, Command::Act(by, action)
                    if *by == seat && !matches!(action, Action::AnswerDouble(_)));
                let leaves = matches!(command, Command::Resign(by) if *by == seat);
                assert_eq!(after.is_away(seat), leaves || state.is_away(seat) && !acts);
                assert_eq!(events.contains(&Event::Returned { seat }), state.is_away(seat) && acts);
            }
            if let Command::Resign(seat) = command {
                // Giving up again is no news.
                let told: &[Event] = if state.is_away(*seat) { &[] } else { &[Event::Resigned { seat: *seat }] };
                assert_eq!(events[..], *told);
                assert_eq!(after.view(None), state.view(None));
            }
        });
    }
}

/// X3, X14, from the list of what is legal: contracts and suits have the order of their kinds.
fn default_action(state: &State, seat: Seat) -> Action {
    let in_layout = state.phase() == Phase::Layout;
    let jack = |card: Card| common::trix::height_of(Rank::JACK).abs_diff(height(card));
    let standing = |action: &Action| match action {
        Action::ChooseContract(contract) => (*contract as usize, None, 0),
        Action::PlayCard(card) if in_layout => (jack(*card), Some(card.suit()), height(*card)),
        Action::PlayCard(card) => (height(*card), Some(card.suit()), 0),
        _ => (0, None, 0),
    };
    legal::<Trix>(state, seat).into_iter().min_by_key(standing).unwrap()
}
