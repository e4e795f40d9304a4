//! Events of damaged logs: folded or turned away, never a panic, and never a table that could not be.
#![allow(clippy::unwrap_used)]

mod common;

use common::{SEATS, cards_of, decide, fold, some_action, some_command, some_options, started, two_packs};
use majlis_rules::card::Card;
use majlis_rules::game::{ClockKind, EndReason, Rules};
use majlis_rules::games::tonj::{Cards, Cause, Event, FaultClass, Phase, Place, Slot, State, Tonj, TurnEnd};
use majlis_rules::playout::Xorshift;
use majlis_rules::seat::Seat;
use proptest::prelude::*;

fn some_card(chance: &mut Xorshift) -> Card {
    std::iter::repeat_with(|| chance.below(128) as u8).find_map(Card::from_byte).unwrap()
}

fn some_seat(chance: &mut Xorshift) -> Seat {
    Seat::at_table(chance.below(4) as u32, 4).unwrap()
}

fn some_place(chance: &mut Xorshift) -> Place {
    let (seat, slot) = (some_seat(chance), Slot::new(chance.below(8) as u32).unwrap());
    match chance.below(5) {
        0 => Place::Reserve(seat),
        1 => Place::Hand(seat),
        2 => Place::Waste(seat),
        3 => Place::House(slot),
        _ => Place::Foundation(slot),
    }
}

/// An event about nothing in particular; half of the time with the seat on turn and cards that are there.
fn some_event(state: &State, chance: &mut Xorshift) -> Event {
    let view = state.view();
    let seat = if chance.below(2) == 0 { state.turn_seat() } else { some_seat(chance) };
    let cause = [Cause::Player, Cause::Claim, Cause::Clock][chance.below(3)];
    let class = [FaultClass::Build, FaultClass::Priority][chance.below(2)];
    let reason = [EndReason::PlayedOut, EndReason::Stalemate, EndReason::Resigned][chance.below(3)];
    let number = [0, 1, state.turn_number() + 1, state.hand_number() + 1, u32::MAX][chance.below(5)];
    match chance.below(14) {
        0 => Event::Dealt { hand_number: number, starter: seat, drawn: false },
        1 => Event::TurnStarted { seat, turn_number: number },
        2 => Event::WasteRecycled { seat, count: view.sides[chance.below(2)].waste_count },
        3 => Event::CardRevealed { seat, card: some_card(chance), cause },
        4..=6 => {
            let from = some_place(chance);
            let held = match from {
                Place::Reserve(Seat::ZERO) => view.sides[0].reserve_top,
                Place::Reserve(_) => view.sides[1].reserve_top,
                Place::Hand(_) => view.pending,
                Place::House(slot) => view.houses[usize::from(slot.number())].last().copied(),
                _ => Some(some_card(chance)),
            };
            let mut cards: Cards = held.into_iter().collect();
            (0..chance.below(8).saturating_sub(6)).for_each(|_| cards.push(some_card(chance)));
            Event::CardsMoved { seat, from, to: some_place(chance), cards, cause, turned_up: None }
        }
        7 => Event::CardDiscarded { seat, card: view.pending.unwrap_or_else(|| some_card(chance)), cause },
        8 => Event::ClaimOpened { offender: seat, attempt: some_action(state, chance), class },
        9 => Event::ClaimResolved { called: chance.below(2) == 0, class },
        10 => Event::TimedOut { seat, clock: ClockKind::Turn },
        11 => {
            let by = [TurnEnd::Discard, TurnEnd::Called, TurnEnd::Asked, TurnEnd::NoMove][chance.below(4)];
            Event::TurnEnded { seat, by }
        }
        12 => {
            let numbers = [u32::MAX, 7];
            Event::HandEnded { reason, winner: Some(seat), burdens: numbers, points: numbers, totals: numbers }
        }
        _ => match chance.below(3) {
            0 => Event::Resigned { seat },
            _ => Event::MatchEnded { reason, winners: [seat].into_iter().collect(), totals: [u32::MAX, 0] },
        },
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn events_of_a_damaged_log_leave_a_possible_table(number: u64) {
        let mut chance = Xorshift::new(number);
        let options = some_options(&mut chance);
        let mut state = started(options, &mut chance);
        for _ in 0..300 {
            let before = state.clone();
            match chance.below(3) {
                0 => {
                    let event = some_event(&state, &mut chance);
                    if Tonj::evolve(&mut state, &event).is_err() {
                        prop_assert_eq!(&state, &before);
                    }
                }
                _ if state.phase() == Phase::Playing => {
                    // Rules hold their own on whatever table that left.
                    if let Ok(events) = decide(&state, &some_command(&state, &mut chance)) {
                        fold(&mut state, &events);
                    }
                }
                _ => {
                    let _ = Tonj::resign(&state, SEATS[chance.below(2)]);
                    let _ = Tonj::expire(&state, ClockKind::Turn);
                    let _ = (Tonj::clock(&state), Tonj::outcome(&state), state.view());
                }
            }
            prop_assert_eq!(cards_of(&state), two_packs());
        }
    }

    /// A log with one event lost, doubled or moved folds to its end only if nothing was lost on the way.
    #[test]
    fn a_lost_or_doubled_event_never_panics(number: u64) {
        let mut chance = Xorshift::new(number);
        let fresh = common::before_deal(majlis_rules::games::tonj::Options::default(), &mut chance);
        let mut state = fresh.clone();
        let mut log = Tonj::start(&fresh).unwrap().to_vec();
        fold(&mut state, &log);
        for _ in 0..80 {
            if let Ok(events) = decide(&state, &some_command(&state, &mut chance)) {
                fold(&mut state, &events);
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
            if Tonj::evolve(&mut damaged, event).is_err() {
                break;
            }
        }
        prop_assert!(cards_of(&damaged).is_empty() || cards_of(&damaged) == two_packs());
    }
}
