//! Stories of Trix: plays, answers, refusals, run-out clocks, and seats that are given up.

use majlis_rules::card::{Card, Face, Rank};
use majlis_rules::game::{ClockKind, EndReason, Rules};
use majlis_rules::games::trix::{Action, CardSet, Contract, Event, ForcedCapture, Named, Options, Phase, State, Trix};
use majlis_rules::playout::Xorshift;
use majlis_rules::position::Object;
use majlis_rules::seat::Seat;
use serde_json::{Value, json};

use super::{Command, Told, names, some_deal};

impl Told for Trix {
    fn fresh(chance: &mut Xorshift) -> State {
        State::new(some_options(chance), Some(some_deal(chance))).unwrap()
    }

    fn some_command(state: &State, chance: &mut Xorshift) -> Command<Action> {
        let seat = Trix::to_act(state).unwrap_or(Seat::ZERO);
        let mut legal = Vec::new();
        Trix::legal_actions(state, seat, &mut legal);
        match chance.below(60) {
            0..=5 => Command::Expire(ClockKind::ALL[chance.below(ClockKind::ALL.len())]),
            6..=11 => {
                let seat = Seat::FOUR[chance.below(4)];
                let every = Trix::every_action(state, seat);
                Command::Act(seat, every[chance.below(every.len())])
            }
            12 => Command::Resign(Seat::FOUR[chance.below(4)]),
            _ => Command::Act(seat, legal.get(chance.below(legal.len())).copied().unwrap_or(Action::Pass)),
        }
    }

    fn every_action(state: &State, seat: Seat) -> Vec<Action> {
        let mut every: Vec<Action> = Contract::ALL.into_iter().map(Action::ChooseContract).collect();
        every.push(Action::Pass);
        every.extend((0..=u8::MAX).filter_map(Card::from_byte).map(Action::PlayCard));
        // Sets of the five cards that are ever doubled, and one card that may be none of them.
        let doubled: Vec<Card> = ["KH", "QC", "QD", "QH", "QS"].map(card).to_vec();
        let other = state.view(Some(seat)).hand.iter().find(|card| !doubled.contains(card));
        for chosen in 0..1 << doubled.len() {
            let is_in = |at: &usize| chosen >> at & 1 == 1;
            let named: Named = (0..doubled.len()).filter(is_in).map(|at| doubled[at]).collect();
            every.push(Action::AnswerDouble(named));
            every.push(Action::AnswerDouble(Named { twice: true, ..named }));
        }
        every.extend(other.map(|card| Action::AnswerDouble([card].into_iter().collect())));
        every
    }

    fn carried_out(_: &[Event]) -> bool {
        true
    }

    fn some_event(state: &State, chance: &mut Xorshift) -> Event {
        let view = state.view(None);
        let seat = view.turn_seat.filter(|_| chance.below(4) != 0).unwrap_or(Seat::FOUR[chance.below(4)]);
        let hand: Vec<Card> = state.view(Some(seat)).hand.iter().collect();
        let any = std::iter::repeat_with(|| chance.below(128) as u8).find_map(Card::from_byte).unwrap();
        let card = hand.get(chance.below(hand.len())).copied().filter(|_| chance.below(4) != 0).unwrap_or(any);
        let cards: CardSet = [card].into_iter().filter(|_| chance.below(2) == 0).collect();
        let numbers = [[0; 4], view.totals, [i32::MAX; 4], [i32::MIN, 0, 0, 0]];
        match chance.below(16) {
            0 => Event::Dealt { deal_number: [0, view.deal_number + 1, 21, u32::MAX][chance.below(4)], owner: seat },
            1 => Event::ContractChosen { contract: Contract::ALL[chance.below(5)] },
            2 => Event::DoubleAnswered { seat, cards },
            3 => {
                Event::DoublesShown { doubled: Seat::FOUR.map(|one| if one == seat { cards } else { CardSet::EMPTY }) }
            }
            4..=7 => Event::CardPlayed { seat, card },
            8 => Event::Passed { seat },
            9 | 10 => Event::TrickTaken { seat },
            11 => Event::DealScored { points: numbers[chance.below(4)], totals: numbers[chance.below(4)] },
            12 => Event::TimedOut { seat, clock: ClockKind::ALL[chance.below(7)] },
            13 => Event::Resigned { seat },
            14 => Event::Returned { seat },
            _ => Event::MatchEnded {
                reason: [EndReason::PlayedOut, EndReason::Stalemate][chance.below(2)],
                winners: [seat].into_iter().collect(),
                totals: numbers[chance.below(4)],
            },
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
            "autoPlayDelayMs": options.auto_play_delay_ms,
            "playOut": options.play_out,
            "forcedCapture": options.forced_capture.name(),
        })
    }

    fn cards_of(position: &Object) -> Vec<String> {
        let mut cards = Vec::new();
        for key in ["hands", "taken"] {
            position[key].as_array().unwrap().iter().for_each(|pile| cards.extend(names(pile)));
        }
        cards
            .extend(position["trick"].as_array().unwrap().iter().map(|play| play["card"].as_str().unwrap().to_owned()));
        for (suit, ends) in position["rows"].as_object().unwrap() {
            let [low, high] = [0, 1].map(|end| RANKS.find(ends[end].as_str().unwrap()).unwrap());
            cards.extend(RANKS[low..=high].chars().map(|rank| format!("{rank}{suit}")));
        }
        cards.sort_unstable();
        cards
    }

    fn all_cards() -> Vec<String> {
        let mut cards: Vec<String> =
            RANKS.chars().flat_map(|rank| "CDHS".chars().map(move |suit| format!("{rank}{suit}"))).collect();
        cards.sort_unstable();
        cards
    }

    /// Who is away is no part of a position.
    fn gist(events: &[Event]) -> Vec<Event> {
        let lasting =
            |event: &&Event| !matches!(event, Event::Returned { .. } | Event::Resigned { .. } | Event::Dealt { .. });
        events.iter().filter(lasting).cloned().collect()
    }
}

/// Ranks from the lowest to the highest (X1).
pub const RANKS: &str = "23456789TJQKA";

/// How high a rank stands (X1).
pub fn height_of(rank: Rank) -> usize {
    RANKS.find(rank.letter()).unwrap()
}

/// How high a card ranks.
pub fn height(card: Card) -> usize {
    height_of(card.rank())
}

pub fn card(name: &str) -> Card {
    let Face(card) = name.parse().unwrap();
    card
}

pub fn some_options(chance: &mut Xorshift) -> Options {
    Options {
        auto_play_delay_ms: [None, Some(0), Some(700)][chance.below(3)],
        play_out: chance.below(2) == 0,
        forced_capture: [ForcedCapture::Base, ForcedCapture::LeaderPays][chance.below(2)],
        ..Options::default()
    }
}
