//! What holds in every Trix match and in no other game: scores, tricks, rows and kingdoms. Clocks and absences are
//! `trix_clocks.rs`, what is hidden is `trix_secrets.rs`.
#![allow(clippy::unwrap_used)]

mod common;

use common::trix::{height, some_options};
use common::{Told, fold, legal, some_deal};
use majlis_rules::game::{Events, Rules};
use majlis_rules::games::trix::{Action, Contract, Event, ForcedCapture, Options, Phase, State, Trix};
use majlis_rules::judge::judge_line;
use majlis_rules::playout::Xorshift;
use majlis_rules::position::Positioned;
use majlis_rules::seat::Seat;
use proptest::prelude::*;
use serde_json::{Value, json};

fn started(options: Options, chance: &mut Xorshift) -> State {
    let mut state = State::new(options, Some(some_deal(chance))).unwrap();
    let events = Trix::start(&state).unwrap();
    fold::<Trix>(&mut state, &events);
    state
}

fn some_legal(state: &State, chance: &mut Xorshift) -> (Seat, Action) {
    let seat = Trix::to_act(state).unwrap();
    let actions = legal::<Trix>(state, seat);
    (seat, actions[chance.below(actions.len())])
}

/// Plays a whole match of legal actions; `look` sees each state with the events that follow from it.
fn whole_match(number: u64, mut look: impl FnMut(&State, &Events<Event>)) -> State {
    let mut chance = Xorshift::new(number);
    let options = some_options(&mut chance);
    let mut state = started(options, &mut chance);
    while !Trix::is_over(&state) {
        let (seat, action) = some_legal(&state, &mut chance);
        let events = Trix::decide(&state, seat, &action).unwrap();
        look(&state, &events);
        fold::<Trix>(&mut state, &events);
    }
    state
}

/// The points of the deals that ended.
fn scored(events: &[Event]) -> Vec<[i32; 4]> {
    let points = |event: &Event| match event {
        Event::DealScored { points, .. } => Some(*points),
        _ => None,
    };
    events.iter().filter_map(points).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// X7, X12, X15: whatever was doubled, and under every option.
    #[test]
    fn a_deal_adds_up_to_its_contract_and_a_kingdom_to_nothing(number: u64) {
        let mut totals = [0; 4];
        let mut deals = 0;
        let end = whole_match(number, |state, events| {
            for points in scored(events) {
                let contract = state.view(None).contract.unwrap();
                assert_eq!(points.iter().sum::<i32>(), contract.sum(), "{contract:?}");
                totals.iter_mut().zip(points).for_each(|(total, points)| *total += points);
                deals += 1;
                assert!(deals % 5 != 0 || totals.iter().sum::<i32>() == 0);
            }
        });
        let (view, outcome) = (end.view(None), Trix::outcome(&end).unwrap());
        assert_eq!((deals, view.deal_number, view.totals), (20, 20, totals));
        assert_eq!(outcome.totals.as_slice(), totals);
        for seat in Seat::FOUR {
            let leads = Some(&totals[seat.index()]) == totals.iter().max();
            assert_eq!(outcome.winners.contains(&seat), leads);
        }
    }

    /// X3: the first owner holds 7♥, the next sits to his right; each kingdom has each contract once, the fifth unasked.
    #[test]
    fn kingdoms_go_round_and_have_each_contract_once(number: u64) {
        let mut had: Vec<Contract> = Vec::new();
        let mut owner = None;
        whole_match(number, |state, events| {
            let view = state.view(None);
            if owner.is_none() {
                let holder = view.owner.index();
                assert!(state.dealt_hands(1).unwrap()[holder].contains(common::trix::card("7H")));
            }
            assert!(owner.is_none_or(|owner| owner == view.owner));
            owner = Some(view.owner);
            assert_eq!(view.kingdom, view.deal_number.div_ceil(5));
            for event in events {
                match event {
                    Event::Dealt { deal_number, owner: next } => {
                        let same = deal_number % 5 != 1;
                        assert_eq!(*next, if same { view.owner } else { view.owner.next_of_four() });
                        if !same {
                            let mut all = had.split_off(0);
                            all.sort_unstable();
                            assert_eq!(all, Contract::ALL);
                        }
                        owner = Some(*next);
                    }
                    Event::ContractChosen { contract } => {
                        had.push(*contract);
                        let chosen = view.phase == Phase::Choosing;
                        assert_eq!(chosen, had.len() < 5, "the fifth starts by itself");
                    }
                    _ => {}
                }
            }
        });
    }

    /// X10, X15: in a round of the seats that hold cards a card is played, and whoever can play does.
    #[test]
    fn passes_never_go_all_the_way_round(number: u64) {
        let mut passes = 0;
        whole_match(number, |state, events| {
            let view = state.view(None);
            let holding = view.hand_counts.iter().filter(|&&count| count > 0).count();
            match events[0] {
                Event::Passed { .. } => passes += 1,
                _ => passes = 0,
            }
            assert!(passes < holding.max(1));
            if view.phase == Phase::Layout {
                assert!(holding > 1 && holding + view.finished.len() == 4);
            }
        });
    }

    /// X6: the suit is followed, and the highest of it takes and leads.
    #[test]
    fn the_highest_of_the_led_suit_takes_the_trick(number: u64) {
        whole_match(number, |state, events| {
            let [Event::CardPlayed { seat, card }, Event::TrickTaken { seat: taker }, ..] = events[..] else { return };
            let mut trick = state.view(None).trick;
            trick.push((seat, card));
            let led = trick[0].1.suit();
            let following = trick.iter().filter(|(_, card)| card.suit() == led);
            assert_eq!(following.max_by_key(|(_, card)| height(*card)).unwrap().0, taker);
            let mut after = state.clone();
            fold::<Trix>(&mut after, &events[..2]);
            let view = after.view(None);
            assert_eq!((view.last_trick, view.turn_seat.unwrap_or(taker)), (trick.clone(), taker));
            assert!(view.taken[taker.index()].ends_with(&trick.iter().map(|&(_, card)| card).collect::<Vec<_>>()));
        });
    }

    /// X8, X18: played out, each deal scores as if it had ended early.
    #[test]
    fn an_early_end_scores_as_the_thirteenth_trick_does(number: u64) {
        let mut chance = Xorshift::new(number);
        let options = Options { play_out: false, ..some_options(&mut chance) };
        let deal = some_deal(&mut chance);
        let mut both = [false, true].map(|play_out| {
            let mut state = State::new(Options { play_out, ..options }, Some(deal.clone())).unwrap();
            let events = Trix::start(&state).unwrap();
            fold::<Trix>(&mut state, &events);
            state
        });
        let mut early = 0;
        while !Trix::is_over(&both[0]) {
            let (seat, action) = some_legal(&both[0], &mut chance);
            let [mut short, mut long] = both.each_ref().map(|state| Trix::decide(state, seat, &action).unwrap());
            both.iter_mut().zip([&short, &long]).for_each(|(state, events)| fold::<Trix>(state, events));
            if scored(&short).is_empty() {
                assert_eq!(short, long);
                continue;
            }
            while scored(&long).is_empty() {
                early += 1;
                let (seat, action) = some_legal(&both[1], &mut chance);
                long = Trix::play(&mut both[1], seat, &action).unwrap();
            }
            short.retain(|event| matches!(event, Event::DealScored { .. }));
            assert!(long.contains(&short[0]));
        }
        assert!(early > 0, "no deal of twenty ended early");
        assert_eq!(both[0].view(None).totals, both[1].view(None).totals);
    }
}

/// One trick about a doubled K♥: the table before it, and the cards in order of play.
fn king_doubled(reading: ForcedCapture, leader: usize, doubler: usize, plays: [&str; 4]) -> Vec<i64> {
    let seats: Vec<usize> = (leader..leader + 4).map(|seat| seat % 4).collect();
    let mut hands = vec![json!([]); 4];
    seats.iter().zip(plays).for_each(|(&seat, card)| hands[seat] = json!([card]));
    let steps: Vec<Value> = seats
        .iter()
        .zip(plays)
        .map(|(seat, name)| {
            let action = Trix::write_action(&Action::PlayCard(common::trix::card(name)));
            json!({"seat": seat, "action": action})
        })
        .collect();
    let position = json!({
        "game": "trix", "options": {"forcedCapture": reading.name()}, "phase": "TRICKS", "partial": true,
        "contract": "KING_OF_HEARTS", "owner": 0, "turn_seat": leader, "hands": hands,
        "doubled": [{"seat": doubler, "card": "KH"}],
    });
    let (answer, failed) = judge_line(&json!({"position": position, "steps": steps}).to_string());
    assert!(!failed, "{answer}");
    let answer: Value = serde_json::from_str(&answer).unwrap();
    answer["outcome"]["points"].as_array().unwrap().iter().map(|points| points.as_i64().unwrap()).collect()
}

/// X9, every leader, doubler and taker, under both readings.
#[test]
fn a_doubled_card_pays_its_doubler_unless_he_takes_it() {
    for reading in [ForcedCapture::Base, ForcedCapture::LeaderPays] {
        for leader in 0..4 {
            for place in 0..4 {
                let doubler = (leader + place) % 4;
                // The doubler's K♥ wins the trick: led by himself, or on another's lead.
                let mut own = ["2H", "3H", "4H", "5H"];
                own[place] = "KH";
                let forced = place > 0 && reading == ForcedCapture::LeaderPays;
                let mut expected = vec![0; 4];
                expected[doubler] = if forced { -150 } else { -75 };
                expected[leader] += if forced { 75 } else { 0 };
                assert_eq!(king_doubled(reading, leader, doubler, own), expected);
                // Another takes it: with the ace, or because it was thrown on another suit.
                for taker in (0..4).filter(|&taker| taker != place) {
                    let mut beaten = ["2H", "3H", "4H", "5H"];
                    beaten[place] = "KH";
                    beaten[taker] = "AH";
                    let mut expected = vec![0; 4];
                    expected[doubler] = 75;
                    expected[(leader + taker) % 4] = -150;
                    assert_eq!(king_doubled(reading, leader, doubler, beaten), expected);
                    if place > 0 {
                        let mut thrown = ["2S", "3S", "4S", "5S"];
                        thrown[place] = "KH";
                        thrown[taker] = "AS";
                        assert_eq!(king_doubled(reading, leader, doubler, thrown), expected);
                    }
                }
            }
        }
    }
}

/// X2: there is nothing else to choose from than what is held.
#[test]
fn a_table_without_a_seed_deals_nothing() {
    assert!(Trix::start(&State::new(Options::default(), None).unwrap()).is_err());
    let state = started(Options::default(), &mut Xorshift::new(1));
    assert!(Trix::start(&state).is_err());
    assert!(state.dealt_hands(1).is_some());
    assert_eq!(state.dealt_hands(1).unwrap(), Seat::FOUR.map(|seat| state.view(Some(seat)).hand));
}
