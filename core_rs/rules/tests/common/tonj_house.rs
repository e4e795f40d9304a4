//! Stories of the house edition: legal moves, penalties, refusals and run-out clocks.

use majlis_rules::card::Suit;
use majlis_rules::crapette::Place;
use majlis_rules::game::{ClockKind, EndReason, Rules};
use majlis_rules::games::tonj_house::{
    Action, Cause, Event, Options, PenaltySource, Phase, State, TonjHouse, TurnEnd, attempts,
};
use majlis_rules::playout::Xorshift;
use majlis_rules::position::Object;
use majlis_rules::seat::Seat;
use majlis_rules::settlement::Settlement;
use serde_json::{Value, json};

use super::crapette::{SEATS, cards_on_table, some_card, some_pile, some_place, some_seat, some_slot};
use super::{Command, Told, some_deal};

impl Told for TonjHouse {
    fn fresh(chance: &mut Xorshift) -> State {
        let options = Options {
            penalty_cards: [None, Some(0), Some(1), Some(10)][chance.below(4)],
            penalty_source: [PenaltySource::OpponentStock, PenaltySource::OwnStock][chance.below(2)],
            max_moves_per_turn: [0, 1, 5][chance.below(3)],
            max_turns: [0, 9, 90][chance.below(3)],
            entry_fee_minor: [0, 333, 1_000_000_000][chance.below(3)],
            rake_bps: [0, 1, 5_000][chance.below(3)],
            ..Options::default()
        };
        State::new(options, Some(some_deal(chance))).unwrap()
    }

    fn some_command(state: &State, chance: &mut Xorshift) -> Command<Action> {
        let seat = state.turn_seat();
        let mut legal = Vec::new();
        TonjHouse::legal_actions(state, seat, &mut legal);
        match chance.below(40) {
            0 => Command::Expire(ClockKind::Turn),
            1 => Command::Expire(ClockKind::ALL[chance.below(ClockKind::ALL.len())]),
            2..=6 => Command::Act(SEATS[chance.below(2)], some_action(chance)),
            7 if chance.below(60) == 0 => Command::Resign(SEATS[chance.below(2)]),
            // A discard gets on with the match, or is a fault.
            8..=14 => Command::Act(seat, Action::Discard),
            _ => Command::Act(seat, legal.get(chance.below(legal.len())).copied().unwrap_or(Action::Pass)),
        }
    }

    fn every_action(_: &State, seat: Seat) -> Vec<Action> {
        attempts(seat)
    }

    fn carried_out(events: &[Event]) -> bool {
        !events.iter().any(|event| matches!(event, Event::Penalised { .. }))
    }

    fn some_event(state: &State, chance: &mut Xorshift) -> Event {
        let view = state.view();
        let seat = if chance.below(2) == 0 { state.turn_seat() } else { some_seat(chance) };
        let cause = [Cause::Player, Cause::Clock, Cause::Rule][chance.below(3)];
        let number = [0, 1, 2, u32::MAX][chance.below(4)];
        match chance.below(16) {
            0 => Event::Dealt { starter: seat, drawn: false },
            1 => Event::TurnStarted { seat, turn_number: [number, state.turn_number() + 1][chance.below(2)] },
            2 => Event::WasteTurned { seat, count: view.sides[chance.below(2)].waste_count },
            3 => Event::CardOpened { seat, card: some_card(chance) },
            4..=6 => {
                let from = some_place(chance);
                let held = match from {
                    Place::Reserve(Seat::ZERO) => view.sides[0].reserve_top,
                    Place::Reserve(_) => view.sides[1].reserve_top,
                    Place::Hand(_) => view.opened,
                    Place::House(slot) => view.houses[usize::from(slot.number())].last().copied(),
                    _ => None,
                };
                let card = held.unwrap_or_else(|| some_card(chance));
                Event::CardMoved { seat, from, to: some_place(chance), card, cause, turned_up: None }
            }
            7 => Event::CardDiscarded { seat, card: view.opened.unwrap_or_else(|| some_card(chance)), cause },
            8 => Event::FoundationRetired { slot: some_slot(chance), suit: Suit::ALL[chance.below(4)] },
            9 | 10 => {
                let opened = view.opened.filter(|_| chance.below(4) != 0);
                let (attempt, source) = (some_action(chance), some_seat(chance));
                let (from_stock, from_waste) = (number, [0, 1, number][chance.below(3)]);
                let turned_up = if chance.below(8) == 0 { Some(some_card(chance)) } else { None };
                Event::Penalised { seat, attempt, returned: opened, source, from_stock, from_waste, turned_up }
            }
            11 => Event::Passed { seat, cause },
            12 => Event::TimedOut { seat, clock: ClockKind::Turn },
            13 => {
                let ends = [TurnEnd::Discard, TurnEnd::Pass, TurnEnd::Penalty, TurnEnd::MoveLimit];
                Event::TurnEnded { seat, by: ends[chance.below(4)] }
            }
            14 => Event::Resigned { seat },
            _ => {
                let left = view.sides.map(|side| side.reserve_count + side.hand_count + side.waste_count);
                let reason = [EndReason::PlayedOut, EndReason::TurnLimit][chance.below(2)];
                let settlement = Settlement::refunded(state.options().entry_fee_minor);
                Event::MatchEnded { reason, winner: [None, Some(seat)][chance.below(2)], cards: left, settlement }
            }
        }
    }

    fn is_over(state: &State) -> bool {
        state.phase() == Phase::MatchOver
    }

    fn is_frozen(_: &State) -> bool {
        false
    }

    fn options(state: &State) -> Value {
        let options = state.options();
        json!({
            "penaltyCards": options.penalty_cards,
            "penaltySource": options.penalty_source.name(),
            "maxMovesPerTurn": options.max_moves_per_turn,
            "maxTurns": options.max_turns,
            "entryFeeMinor": options.entry_fee_minor,
            "rakeBps": options.rake_bps,
        })
    }

    /// By face: of a retired foundation no position tells the packs.
    fn cards_of(position: &Object) -> Vec<String> {
        let mut cards: Vec<String> = cards_on_table(position).iter().map(|card| card[..2].to_owned()).collect();
        for (suit, count) in position["retired"].as_object().unwrap() {
            let faces = || RANKS.chars().map(|rank| format!("{rank}{suit}"));
            (0..count.as_u64().unwrap()).for_each(|_| cards.extend(faces()));
        }
        cards.sort_unstable();
        cards
    }

    fn all_cards() -> Vec<String> {
        let faces = |suit: char| RANKS.chars().map(move |rank| format!("{rank}{suit}"));
        let mut cards: Vec<String> = "CDHSCDHS".chars().flat_map(faces).collect();
        cards.sort_unstable();
        cards
    }

    fn gist(events: &[Event]) -> Vec<Event> {
        events.to_vec()
    }
}

const RANKS: &str = "A23456789TJQK";

/// Any action at all, what cannot be included.
pub fn some_action(chance: &mut Xorshift) -> Action {
    let attempts = attempts(SEATS[chance.below(2)]);
    match chance.below(6) {
        0 => Action::Move { from: some_pile(chance), to: some_pile(chance), count: chance.below(4) as u32 },
        1 => [Action::Discard, Action::Pass][chance.below(2)],
        _ => attempts[chance.below(attempts.len())],
    }
}
