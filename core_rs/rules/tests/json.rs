//! Actions and cards as text, both ways.
#![allow(clippy::unwrap_used)]

mod common;

use common::{some_action, started};
use majlis_rules::card::{Card, Rank, Suit};
use majlis_rules::games::tonj::{Action, Options, Pile, PileKind, Tonj, attempts};
use majlis_rules::playout::Xorshift;
use majlis_rules::position::Positioned;
use majlis_rules::refusal::Reason;
use serde_json::{Value, json};

#[test]
fn an_action_reads_back_as_it_was_written() {
    let mut chance = Xorshift::new(44);
    let state = started(Options::default(), &mut chance);
    let any = (0..2000).map(|_| some_action(&state, &mut chance)).collect::<Vec<_>>();
    for action in attempts(&state, state.turn_seat()).into_iter().chain(any) {
        let written = Tonj::write_action(&action);
        let again: Value = serde_json::from_str(&written.to_string()).unwrap();
        assert_eq!(Tonj::read_action(&again), Ok(action), "{written}");
    }
}

#[test]
fn defaults_are_left_out_and_an_index_never_is() {
    let from = Pile { kind: PileKind::Reserve, seat: 0, index: None };
    let to = Pile { kind: PileKind::House, seat: 0, index: Some(0) };
    let written = Tonj::write_action(&Action::Move { from, to, count: 0 });
    let expected = r#"{"move":{"from":{"kind":"PILE_KIND_RESERVE"},"to":{"index":0,"kind":"PILE_KIND_HOUSE"}}}"#;
    assert_eq!(written.to_string(), expected);
    assert_eq!(Tonj::write_action(&Action::EndTurn), json!({"endTurn": {}}));
    assert_eq!(Tonj::write_action(&Action::CallTonj), json!({"callTonj": {}}));
}

#[test]
fn every_form_of_protobuf_json_is_read() {
    let house = |index| Pile { kind: PileKind::House, seat: 0, index: Some(index) };
    let plain = Action::Move { from: house(3), to: house(0), count: 2 };
    for text in [
        r#"{"move":{"from":{"kind":"PILE_KIND_HOUSE","index":3},"to":{"kind":"PILE_KIND_HOUSE","index":0},"count":2}}"#,
        r#"{"move":{"from":{"kind":4,"index":"3"},"to":{"kind":4,"index":0,"seat":null},"count":"2"},"reveal":null}"#,
        r#"{"move":{"from":{"kind":4,"index":3.0},"to":{"kind":4,"index":0e0},"count":2.0}}"#,
    ] {
        assert_eq!(Tonj::read_action(&serde_json::from_str(text).unwrap()), Ok(plain), "{text}");
    }
    for text in [r#"{"end_turn":{}}"#, r#"{"endTurn":{}}"#] {
        assert_eq!(Tonj::read_action(&serde_json::from_str(text).unwrap()), Ok(Action::EndTurn));
    }
}

#[test]
fn what_no_message_can_be_is_malformed() {
    for text in [
        "null",
        "[]",
        "{}",
        "7",
        r#""reveal""#,
        r#"{"reveal":[]}"#,
        r#"{"reveal":{},"endTurn":{}}"#,
        r#"{"endTurn":{},"end_turn":{}}"#,
        r#"{"Reveal":{}}"#,
        r#"{"move":{"from":{"kind":"HOUSE"}}}"#,
        r#"{"move":{"count":4294967296}}"#,
        r#"{"move":{"count":-1}}"#,
        r#"{"move":{"count":"0x1"}}"#,
        r#"{"move":{"count":""}}"#,
        r#"{"move":{"count":true}}"#,
        r#"{"move":{"count":0.5}}"#,
        r#"{"move":{"cards":[]}}"#,
        r#"{"move":{"from":{"kind":true}}}"#,
        r#"{"resign":{}}"#,
    ] {
        assert_eq!(Tonj::read_action(&serde_json::from_str(text).unwrap()), Err(Reason::MalformedAction), "{text}");
    }
}

#[test]
fn cards_read_back_and_nothing_else_is_one() {
    let mut cards = Vec::new();
    for suit in Suit::ALL {
        for rank in Rank::all() {
            for pack in [0, 1] {
                let card = Card::new(suit, rank, pack);
                assert_eq!((card.suit(), card.rank(), card.pack()), (suit, rank, pack));
                assert_eq!(card.to_string().parse(), Ok(card));
                assert_eq!(Card::from_byte(card.byte()), Some(card));
                cards.push(card);
            }
        }
    }
    assert_eq!((0..=u8::MAX).filter_map(Card::from_byte).count(), cards.len());
    assert_eq!("TS1".parse(), Ok(Card::new(Suit::Spades, Rank::new(10).unwrap(), 1)));
    for text in ["", "TS", "10S1", "TS2", "ts1", "1S0", "TX0", " TS1", "♠"] {
        assert!(text.parse::<Card>().is_err(), "{text}");
    }
}
