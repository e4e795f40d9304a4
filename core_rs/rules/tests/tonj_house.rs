//! What holds in every match of the house edition and in no other game: penalties, caps, stakes, what lies face down,
//! and that whoever sees the events alone sees the table.
#![allow(clippy::unwrap_used)]

mod common;

use common::crapette::{SEATS, shuffle_hidden};
use common::{Command, Told, decide, fold, legal, position_of};
use majlis_rules::card::Card;
use majlis_rules::crapette::{Place, Slot};
use majlis_rules::game::{ClockKind, EndReason, Rules};
use majlis_rules::games::tonj_house::{
    Event, PenaltySource, Phase, State, TonjHouse, TonjHouseView, TurnEnd, attempts,
};
use majlis_rules::playout::Xorshift;
use majlis_rules::position;
use majlis_rules::seat::Seat;
use majlis_rules::settlement::Settlement;
use proptest::prelude::*;

const STEPS: usize = 400;

fn story(number: u64, look: impl FnMut(&State, &Command<<TonjHouse as Rules>::Action>)) -> State {
    common::story::<TonjHouse>(number, STEPS, look)
}

fn after(state: &State, events: &[Event]) -> State {
    let mut after = state.clone();
    fold::<TonjHouse>(&mut after, events);
    after
}

fn personal(view: &TonjHouseView, seat: Seat) -> u32 {
    let side = &view.sides[seat.index()];
    let opened = view.turn_seat == seat && view.opened.is_some();
    side.reserve_count + side.hand_count + side.waste_count + u32::from(opened)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    /// H9, H10, H14, H27: a penalty cancels the attempt, moves at most as many cards as it may, ends the turn, leaves the
    /// other side a card, and is nobody's win.
    #[test]
    fn a_penalty_takes_cards_and_the_turn_and_never_wins(number: u64) {
        story(number, |state, command| {
            let Ok(events) = decide::<TonjHouse>(state, command) else { return };
            let Some(Event::Penalised { seat, source, from_stock, from_waste, .. }) = events.first() else {
                assert!(TonjHouse::carried_out(&events), "a penalty comes first");
                return;
            };
            let options = state.options();
            assert!(from_stock + from_waste <= options.penalty_cards.unwrap());
            assert_eq!(source == seat, options.penalty_source == PenaltySource::OwnStock);
            assert!(matches!(events[1], Event::TurnEnded { by: TurnEnd::Penalty, .. }));
            assert!(!events[2..].iter().any(|event| matches!(event, Event::CardMoved { .. })), "cancelled");
            let (before, after) = (state.view(), after(state, &events));
            let taken = from_stock + from_waste;
            let lost = if source == seat { 0 } else { taken };
            assert_eq!(personal(&after.view(), *seat), personal(&before, *seat) + lost);
            assert_eq!(personal(&after.view(), seat.opponent()), personal(&before, seat.opponent()) - lost);
            assert!(personal(&after.view(), seat.opponent()) > 0);
            assert_eq!((&after.view().houses, &after.view().foundations), (&before.houses, &before.foundations));
            match &events[2] {
                Event::MatchEnded { reason, .. } => assert_eq!(*reason, EndReason::TurnLimit),
                next => assert!(matches!(next, Event::TurnStarted { seat: next, .. } if *next == seat.opponent())),
            }
        });
    }

    /// H18: a run-out clock ends the turn, or the match, without a penalty; nothing that was due is left to the seat.
    #[test]
    fn a_run_out_clock_ends_the_turn_without_a_penalty(number: u64) {
        story(number, |state, _| {
            let seat = state.turn_seat();
            let events = TonjHouse::expire(state, ClockKind::Turn).unwrap();
            assert!(matches!(events[0], Event::TimedOut { seat: late, clock: ClockKind::Turn } if late == seat));
            assert!(TonjHouse::carried_out(&events));
            let optional = |event: &Event| matches!(event, Event::CardMoved { to, .. } if !matches!(to, Place::Foundation(_)));
            assert!(!events.iter().any(optional));
            let after = after(state, &events);
            let ended = events.iter().any(|event| matches!(event, Event::TurnEnded { seat: ended, .. } if *ended == seat));
            assert!(ended || after.phase() == Phase::MatchOver);
            if after.phase() == Phase::Playing {
                assert_ne!(TonjHouse::clock(&after), TonjHouse::clock(state), "a fresh clock has a number of its own");
            }
        });
    }

    /// H16, H17, H24.
    #[test]
    fn turns_and_placements_keep_below_their_caps(number: u64) {
        story(number, |state, _| {
            let (view, options) = (state.view(), state.options());
            assert!(view.moves_left > 0 && view.moves_left <= options.max_moves_per_turn);
            assert!(view.turn_number >= 1 && view.turn_number <= options.max_turns);
            let on_turn = if view.turn_number % 2 == 1 { view.starter } else { view.starter.opponent() };
            assert_eq!(view.turn_seat, on_turn);
            // H7: what can be opened has been.
            let own = &view.sides[on_turn.index()];
            assert!(view.opened.is_some() || own.hand_count + own.waste_count == 0);
        });
    }

    /// H20: settled exactly once, and to the unit.
    #[test]
    fn an_ended_match_is_settled_once(number: u64) {
        let mut settled = 0;
        let end = story(number, |state, command| {
            assert!(TonjHouse::outcome(state).is_none());
            let Ok(events) = decide::<TonjHouse>(state, command) else { return };
            settled += events.iter().filter(|event| matches!(event, Event::MatchEnded { .. })).count();
        });
        let Some(outcome) = TonjHouse::outcome(&end) else { return Ok(()) };
        assert_eq!(settled, 1);
        let settlement = outcome.settlement.unwrap();
        let options = end.options();
        let expected = match outcome.winners[..] {
            [winner] => Settlement::won(options.entry_fee_minor, options.rake_bps, winner),
            _ => Settlement::refunded(options.entry_fee_minor),
        };
        assert_eq!(settlement, expected);
        for seat in SEATS {
            assert!(TonjHouse::resign(&end, seat).is_err() && legal::<TonjHouse>(&end, seat).is_empty());
        }
    }

    /// H20: money in is money out, whatever the fee and the rate, and the platform never rounds up.
    #[test]
    fn money_in_is_money_out(fee in 0..=1_000_000_000_u32, rate in 0..=5_000_u32, one: bool) {
        let winner = SEATS[usize::from(one)];
        let won = Settlement::won(fee, rate, winner);
        let refunded = Settlement::refunded(fee);
        for settlement in [won, refunded] {
            let paid: u64 = settlement.payout_minor.iter().sum();
            assert_eq!(settlement.pot_minor, 2 * u64::from(fee));
            assert_eq!(paid + settlement.rake_minor, settlement.pot_minor);
        }
        assert_eq!(refunded.payout_minor, [u64::from(fee); 2]);
        assert_eq!(won.payout_minor[winner.opponent().index()], 0);
        let exact = u128::from(won.pot_minor) * u128::from(rate);
        let kept = u128::from(won.rake_minor);
        assert!(kept * 10_000 <= exact && exact < (kept + 1) * 10_000);
    }

    /// H20, H28: a match that never started gives back what was taken, to whom it was taken from, and keeps nothing.
    #[test]
    fn a_void_match_gives_back_what_was_taken(fee in 0..=1_000_000_000_u32, taken: [bool; 2]) {
        let void = Settlement::void(fee, taken);
        for (paid_out, taken) in void.payout_minor.into_iter().zip(taken) {
            assert_eq!(paid_out, if taken { u64::from(fee) } else { 0 });
        }
        let paid_in = u64::from(fee) * taken.iter().filter(|taken| **taken).count() as u64;
        assert_eq!((void.entry_fee_minor, void.pot_minor, void.rake_minor), (fee, paid_in, 0));
        if taken == [true; 2] {
            assert_eq!(void, Settlement::refunded(fee));
        }
    }

    /// Whoever knows the deal's face-up cards and folds the events sees at every moment what the view shows.
    #[test]
    fn the_events_tell_everything_that_is_seen(number: u64) {
        let mut chance = Xorshift::new(number);
        let mut state = TonjHouse::fresh(&mut chance);
        let mut seen = state.view();
        let mut events = TonjHouse::start(&state).unwrap();
        for _ in 0..STEPS {
            fold::<TonjHouse>(&mut state, &events);
            events.iter().for_each(|event| see(&mut seen, &state, event));
            if TonjHouse::is_over(&state) {
                break;
            }
            assert_eq!(seen, state.view());
            let command = TonjHouse::some_command(&state, &mut chance);
            events = decide::<TonjHouse>(&state, &command).unwrap_or_default();
        }
    }
}

/// What is seen, may be done and is judged does not depend on cards that lie face down.
#[test]
fn hidden_cards_make_no_difference_to_what_is_seen_or_judged() {
    for number in 0..20 {
        let mut chance = Xorshift::new(number);
        let mut shuffled = 0;
        common::story::<TonjHouse>(number, 80, |state, _| {
            let mut position = position_of::<TonjHouse>(state);
            let (plain, _) = position::read::<TonjHouse>(&position).unwrap();
            shuffle_hidden(&mut position, &mut chance);
            let (other, _) = position::read::<TonjHouse>(&position).unwrap();
            shuffled += u32::from(other != plain);
            assert_eq!(other.view(), plain.view());
            for seat in SEATS {
                assert_eq!(legal::<TonjHouse>(&other, seat), legal::<TonjHouse>(&plain, seat));
                for action in attempts(seat) {
                    let judged = |state| match TonjHouse::decide(state, seat, &action) {
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

/// Tells a spectator of one event. Of the state he asks only what a deal shows face up, and the room's settings.
fn see(seen: &mut TonjHouseView, state: &State, event: &Event) {
    match *event {
        Event::Dealt { starter, .. } => {
            let (tops, houses) = state.face_up().unwrap();
            for (side, top) in seen.sides.iter_mut().zip(tops) {
                (side.reserve_count, side.reserve_top, side.hand_count) = (13, Some(top), 35);
            }
            seen.houses = houses.map(|card| vec![card]);
            (seen.starter, seen.turn_seat) = (starter, starter);
        }
        Event::TurnStarted { seat, turn_number } => {
            (seen.turn_seat, seen.turn_number) = (seat, turn_number);
            seen.moves_left = state.options().max_moves_per_turn;
        }
        Event::WasteTurned { seat, count } => {
            let side = &mut seen.sides[seat.index()];
            (side.hand_count, side.waste_count, side.waste_top) = (count, 0, None);
        }
        Event::CardOpened { seat, card } => {
            seen.sides[seat.index()].hand_count -= 1;
            seen.opened = Some(card);
        }
        Event::CardMoved { from, to, card, turned_up, .. } => {
            see_leaving(seen, from, turned_up);
            see_coming(seen, to, card);
            seen.moves_left -= 1;
        }
        Event::FoundationRetired { slot, suit } => {
            seen.foundations[at(slot)] = Default::default();
            seen.retired.push(suit);
            seen.retired.sort_unstable();
        }
        Event::CardDiscarded { seat, card, .. } => {
            seen.opened = None;
            see_coming(seen, Place::Waste(seat), card);
        }
        Event::Penalised { seat, returned, source, from_stock, from_waste, turned_up, .. } => {
            if let Some(card) = returned {
                seen.opened = None;
                see_coming(seen, Place::Waste(seat), card);
            }
            let payer = &mut seen.sides[source.index()];
            payer.hand_count -= from_stock;
            payer.waste_count -= from_waste;
            payer.waste_top = payer.waste_top.filter(|_| payer.waste_count > 0);
            let side = &mut seen.sides[seat.index()];
            side.reserve_count += from_stock + from_waste;
            side.reserve_top = side.reserve_top.or(turned_up);
        }
        Event::TurnEnded { by, .. } => seen.passes = if by == TurnEnd::Pass { seen.passes + 1 } else { 0 },
        Event::Passed { .. } | Event::TimedOut { .. } | Event::Resigned { .. } | Event::MatchEnded { .. } => {}
    }
}

fn see_leaving(seen: &mut TonjHouseView, from: Place, turned_up: Option<Card>) {
    match from {
        Place::Reserve(seat) => {
            let side = &mut seen.sides[seat.index()];
            side.reserve_count -= 1;
            side.reserve_top = turned_up;
        }
        Place::Hand(_) => seen.opened = None,
        Place::House(slot) => drop(seen.houses[at(slot)].pop()),
        Place::Waste(_) | Place::Foundation(_) => unreachable!("never a source"),
    }
}

fn see_coming(seen: &mut TonjHouseView, to: Place, card: Card) {
    match to {
        Place::Reserve(seat) => {
            let side = &mut seen.sides[seat.index()];
            side.reserve_count += 1;
            side.reserve_top = Some(card);
        }
        Place::Waste(seat) => {
            let side = &mut seen.sides[seat.index()];
            side.waste_count += 1;
            side.waste_top = Some(card);
        }
        Place::House(slot) => seen.houses[at(slot)].push(card),
        Place::Foundation(slot) => {
            let foundation = &mut seen.foundations[at(slot)];
            foundation.count += 1;
            foundation.top = Some(card);
        }
        Place::Hand(_) => unreachable!("never a destination"),
    }
}

fn at(slot: Slot) -> usize {
    usize::from(slot.number())
}
