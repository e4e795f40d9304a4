//! Deals: the vectors in `seeds/deals`, and how a deal lies on the table.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use majlis_rules::card::{Card, Face};
use majlis_rules::deal::position_after_deal;
use majlis_rules::deck::DealSource;
use majlis_rules::game::Rules;
use majlis_rules::games::tonj::{Event, Options, State, Tonj};
use majlis_rules::games::tonj_house::{self, TonjHouse};
use majlis_rules::games::trix;
use majlis_rules::position::{hex, unhex};
use majlis_rules::seat::Seat;
use serde_json::{Value, json};

struct Vector {
    json: Value,
    deal: DealSource,
    number: u32,
}

impl Vector {
    fn position(&self, game: &str) -> Value {
        let text = position_after_deal(game, *self.deal.seed(), self.deal.entropies().to_vec(), self.number).unwrap();
        serde_json::from_str(&text).unwrap()
    }
}

fn vectors(game: &str) -> Vec<Vector> {
    let path = format!("{}/../../seeds/deals/{game}.jsonl", env!("CARGO_MANIFEST_DIR"));
    let lines = std::fs::read_to_string(path).unwrap();
    let vectors: Vec<Vector> = lines
        .lines()
        .map(|line| {
            let json: Value = serde_json::from_str(line).unwrap();
            let seed = unhex(json["seed"].as_str().unwrap()).unwrap().try_into().unwrap();
            let entropies =
                json["entropies"].as_array().unwrap().iter().map(|hex| unhex(hex.as_str().unwrap()).unwrap());
            let deal = DealSource::new(seed, entropies.collect()).unwrap();
            let number = json["number"].as_u64().unwrap().try_into().unwrap();
            assert_eq!(hex(&deal.commitment()), json["commitment"].as_str().unwrap());
            Vector { json, deal, number }
        })
        .collect();
    assert!(vectors.len() > 30);
    vectors
}

fn names(cards: &[Card]) -> Vec<Value> {
    cards.iter().map(|card| card.to_string().into()).collect()
}

#[test]
fn decks_of_both_editions_of_tonj_are_as_pinned() {
    for Vector { json, deal, number } in ["tonj", "tonj_house"].into_iter().flat_map(vectors) {
        for pack in [0, 1] {
            assert_eq!(
                Value::from(names(&deal.deck(number, pack, 2))),
                json["decks"][usize::from(pack)],
                "{}",
                json["why"]
            );
        }
    }
}

#[test]
fn decks_of_trix_are_as_pinned() {
    for Vector { json, deal, number } in vectors("trix") {
        let deck: Vec<Value> = deal.deck(number, 0, 4).iter().map(|&card| Face(card).to_string().into()).collect();
        assert_eq!(Value::from(deck), json["deck"], "{}", json["why"]);
    }
}

/// X2, X3: card i goes to seat i mod 4; contracts are taken in order, the fifth starts by itself.
#[test]
fn a_deal_of_trix_lies_as_its_deck_says_and_has_the_right_owner() {
    for vector in vectors("trix") {
        let (position, json) = (vector.position("trix"), &vector.json);
        let played = (vector.number as usize - 1) % 5;
        for seat in 0..4 {
            let deck = json["deck"].as_array().unwrap().iter();
            let dealt: BTreeSet<String> = deck.skip(seat).step_by(4).map(Value::to_string).collect();
            let held = position["hands"][seat].as_array().unwrap().iter().map(Value::to_string);
            assert_eq!(held.collect::<BTreeSet<String>>(), dealt, "{}", json["why"]);
        }
        assert_eq!((&position["owner"], &position["turn_seat"]), (&json["owner"], &json["owner"]));
        assert_eq!(position["deal_number"], vector.number);
        assert_eq!(position["kingdom"], vector.number.div_ceil(5));
        assert_eq!(position["partial"], vector.number > 1);
        let contracts: Vec<&str> = trix::Contract::ALL.iter().map(|contract| contract.name()).collect();
        assert_eq!(position["played_contracts"], json!(contracts[..played]));
        let (phase, contract) = if played == 4 { ("LAYOUT", json!("TRIX")) } else { ("CHOOSING", Value::Null) };
        assert_eq!((&position["phase"], &position["contract"]), (&json!(phase), &contract));
    }
}

/// T2, T3: the reserves, hands and houses of a position are the decks' cards; `opened` of them are not in the
/// starter's hand any more.
fn lies_as_its_decks_say(position: &Value, vector: &Vector, opened: usize) {
    let decks = [0, 1].map(|pack| names(&vector.deal.deck(vector.number, pack, 2)));
    for seat in [0, 1] {
        let gone = if vector.json["starter"] == seat { opened } else { 0 };
        assert_eq!(position["reserves"][seat], json!(decks[seat][..13]));
        assert_eq!(position["hands"][seat], json!(decks[seat][17 + gone..]));
        for house in 0..4 {
            assert_eq!(position["houses"][4 * seat + house], json!([decks[seat][13 + house]]));
        }
        if gone > 0 {
            assert_eq!(position["pending"], decks[seat][17]);
        }
    }
}

/// T2, T3, T5, T28.
#[test]
fn a_deal_lies_as_its_decks_say_and_the_right_seat_starts() {
    for vector in vectors("tonj") {
        let position = vector.position("tonj");
        lies_as_its_decks_say(&position, &vector, 0);
        let Vector { json, number, .. } = vector;
        assert_eq!(position["wastes"], json!([[], []]));
        assert_eq!(position["starter"], json["starter"], "{}", json["why"]);
        assert_eq!(position["turn_seat"], json["starter"]);
        assert_eq!(position["hand_number"], number);
        assert_eq!(position["turn_number"], 1);
    }
}

/// H1, H2, H7: the same layout; the log records a draw; the starter's first card is open.
#[test]
fn a_deal_of_the_house_edition_lies_as_its_decks_say_and_the_right_seat_starts() {
    for vector in vectors("tonj_house") {
        let position = vector.position("tonj_house");
        lies_as_its_decks_say(&position, &vector, 1);
        let Vector { json, deal, .. } = vector;
        assert_eq!(
            (&position["starter"], &position["turn_seat"]),
            (&json["starter"], &json["starter"]),
            "{}",
            json["why"]
        );
        assert_eq!((&position["turn_number"], &position["wastes"]), (&json!(1), &json!([[], []])));
        let state = tonj_house::State::new(tonj_house::Options::default(), Some(deal)).unwrap();
        let events = TonjHouse::start(&state).unwrap();
        let tonj_house::Event::Dealt { starter, drawn } = events[0] else { panic!("no deal: {events:?}") };
        assert_eq!((json!(starter.number()), json!(drawn)), (json["starter"].clone(), json["drawn"].clone()));
        assert!(matches!(events[1], tonj_house::Event::TurnStarted { seat, turn_number: 1 } if seat == starter));
        assert!(matches!(events[2..], [tonj_house::Event::CardOpened { seat, .. }] if seat == starter));
    }
}

/// T5: the log records a draw.
#[test]
fn a_match_starts_with_the_pinned_starter_and_tells_of_a_draw() {
    for Vector { json, deal, .. } in vectors("tonj").into_iter().filter(|vector| vector.number == 1) {
        let state = State::new(Options::default(), Some(deal)).unwrap();
        let events = Tonj::start(&state).unwrap();
        let Event::Dealt { hand_number: 1, starter, drawn } = events[0] else { panic!("no deal: {events:?}") };
        assert_eq!((json!(starter.number()), json!(drawn)), (json["starter"].clone(), json["drawn"].clone()));
        assert!(matches!(events[1], Event::TurnStarted { seat, turn_number: 1 } if seat == starter));
    }
}

/// The lot that would decide, whether or not it had to.
#[test]
fn draws_are_as_pinned() {
    for Vector { json, deal, .. } in ["tonj", "tonj_house"].into_iter().flat_map(vectors) {
        assert_eq!(json!(u8::from(deal.draw_of_two(1, 2))), json["draw"], "{}", json["why"]);
    }
}

#[test]
fn what_cannot_be_dealt_is_a_fault() {
    let deal = |game, entropies, number| position_after_deal(game, [0; 32], entropies, number);
    assert!(deal("tonj", vec![], 1).is_ok());
    assert!(deal("trix", vec![vec![]; 4], 20).is_ok());
    assert!(deal("whist", vec![], 1).is_err());
    assert!(deal("trix", vec![], 0).is_err());
    assert!(deal("trix", vec![], 21).is_err());
    assert!(deal("tonj_house", vec![], 1).is_ok());
    assert!(deal("tonj_house", vec![], 0).is_err());
    assert!(deal("tonj_house", vec![], 2).is_err());
    assert!(deal("trix", vec![vec![]; 5], 1).is_err());
    assert!(deal("tonj", vec![], 0).is_err());
    assert!(deal("tonj", vec![vec![], vec![], vec![]], 1).is_err());
    assert!(deal("tonj", vec![vec![0; 256]], 1).is_err());
}

#[test]
fn a_match_starts_once() {
    let deal = DealSource::new([1; 32], vec![]).unwrap();
    let mut state = State::new(Options::default(), Some(deal)).unwrap();
    assert!(Tonj::resign(&state, Seat::ZERO).is_err(), "nothing to give up yet");
    for event in Tonj::start(&state).unwrap() {
        Tonj::evolve(&mut state, &event).unwrap();
    }
    assert!(Tonj::start(&state).is_err());
    assert!(Tonj::start(&State::new(Options::default(), None).unwrap()).is_err());
}
