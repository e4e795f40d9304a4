//! Stories of Tonj: legal moves, faults, calls and run-out clocks.

use majlis_rules::card::Card;
use majlis_rules::game::{ClockKind, EndReason, Rules};
use majlis_rules::games::tonj::{
    Action, Cards, Cause, Event, FaultClass, Options, Phase, Place, State, TimeoutPolicy, Tonj, TurnEnd, attempts,
};
use majlis_rules::playout::Xorshift;
use majlis_rules::position::Object;
use majlis_rules::seat::Seat;
use serde_json::{Value, json};

use super::crapette::{SEATS, cards_on_table, some_card, some_pile, some_place, some_seat};
use super::{Command, Told, some_deal};

impl Told for Tonj {
    fn fresh(chance: &mut Xorshift) -> State {
        let options = Options {
            target_points: [0, 20, 150][chance.below(3)],
            max_claims_per_turn: [0, 1, 3][chance.below(3)],
            max_transfers_per_turn: [0, 1, 4][chance.below(3)],
            timeout_policy: [TimeoutPolicy::FinishTurn, TimeoutPolicy::OneAction][chance.below(2)],
            ..Options::default()
        };
        State::new(options, Some(some_deal(chance))).unwrap()
    }

    fn some_command(state: &State, chance: &mut Xorshift) -> Command<Action> {
        if let Some(claim) = state.claim() {
            return match chance.below(8) {
                0 | 1 => Command::Act(SEATS[chance.below(2)], some_action(state, chance)),
                2..=4 => Command::Act(claim.offender.opponent(), Action::CallTonj),
                _ => Command::Expire(ClockKind::Claim),
            };
        }
        let seat = state.turn_seat();
        let mut legal = Vec::new();
        Tonj::legal_actions(state, seat, &mut legal);
        match chance.below(40) {
            0 => Command::Expire(ClockKind::Turn),
            1 => Command::Expire(ClockKind::Claim),
            2..=7 => Command::Act(SEATS[chance.below(2)], some_action(state, chance)),
            8 if chance.below(60) == 0 => Command::Resign(SEATS[chance.below(2)]),
            _ => {
                let action = legal.get(chance.below(legal.len())).copied();
                Command::Act(seat, action.unwrap_or_else(|| some_action(state, chance)))
            }
        }
    }

    fn every_action(state: &State, seat: Seat) -> Vec<Action> {
        attempts(state, seat)
    }

    fn carried_out(events: &[Event]) -> bool {
        !matches!(events, [Event::ClaimOpened { .. }])
    }

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

    fn is_over(state: &State) -> bool {
        state.phase() == Phase::MatchOver
    }

    fn is_frozen(state: &State) -> bool {
        state.claim().is_some()
    }

    fn options(state: &State) -> Value {
        let options = state.options();
        json!({
            "maxClaimsPerTurn": options.max_claims_per_turn,
            "maxTransfersPerTurn": options.max_transfers_per_turn,
            "timeoutPolicy": options.timeout_policy.name(),
        })
    }

    fn cards_of(position: &Object) -> Vec<String> {
        let mut cards = cards_on_table(position);
        cards.sort_unstable();
        cards
    }

    fn all_cards() -> Vec<String> {
        let mut cards: Vec<String> = (0..=u8::MAX).filter_map(Card::from_byte).map(|card| card.to_string()).collect();
        cards.sort_unstable();
        cards
    }

    /// The history of T27 is no part of a position, so a stalemate may be missed: only what was moved is compared.
    fn gist(events: &[Event]) -> Vec<Event> {
        let moved = |event: &&Event| matches!(event, Event::CardsMoved { .. } | Event::CardRevealed { .. });
        events.iter().filter(moved).cloned().collect()
    }
}

/// Any action at all, what cannot be included.
pub fn some_action(state: &State, chance: &mut Xorshift) -> Action {
    let attempts = attempts(state, state.turn_seat());
    match chance.below(4) {
        0 => Action::Move { from: some_pile(chance), to: some_pile(chance), count: chance.below(5) as u32 },
        1 => [Action::Reveal, Action::Discard, Action::EndTurn, Action::CallTonj][chance.below(4)],
        _ => attempts[chance.below(attempts.len())],
    }
}
