//! Actions and cards as text, both ways.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Told, seats, story};
use majlis_rules::card::{Card, Face, Rank, Suit};
use majlis_rules::crapette::{Pile, PileKind};
use majlis_rules::games::tonj::{self, Tonj};
use majlis_rules::games::tonj_house::{self, TonjHouse};
use majlis_rules::games::trix::{self, Contract, Trix};
use majlis_rules::position::Positioned;
use majlis_rules::refusal::Reason;
use serde_json::{Value, json};

fn an_action_reads_back_as_it_was_written<R: Told>(is_on_the_wire: impl Fn(&R::Action) -> bool) {
    let back = |action: &R::Action| {
        let written = R::write_action(action);
        let again: Value = serde_json::from_str(&written.to_string()).unwrap();
        assert_eq!(R::read_action(&again).as_ref(), Ok(action), "{written}");
    };
    let mut told = 0;
    story::<R>(44, 60, |state, command| {
        let every = seats::<R>().flat_map(|seat| R::every_action(state, seat));
        every.filter(|action| is_on_the_wire(action)).for_each(|action| back(&action));
        if let common::Command::Act(_, action) = command
            && is_on_the_wire(action)
        {
            back(action);
            told += 1;
        }
    });
    assert!(told > 30);
}

#[test]
fn an_action_of_tonj_reads_back_as_it_was_written() {
    an_action_reads_back_as_it_was_written::<Tonj>(|_| true);
}

#[test]
fn an_action_of_the_house_edition_reads_back_as_it_was_written() {
    an_action_reads_back_as_it_was_written::<TonjHouse>(|_| true);
}

#[test]
fn the_house_edition_knows_three_kinds_of_action() {
    let read = |text: &str| TonjHouse::read_action(&serde_json::from_str(text).unwrap());
    assert_eq!(read(r#"{"discard":{}}"#), Ok(tonj_house::Action::Discard));
    assert_eq!(read(r#"{"pass":{},"move":null}"#), Ok(tonj_house::Action::Pass));
    let text = r#"{"move":{"from":{"kind":2},"to":{"kind":"PILE_KIND_HOUSE","index":"7"},"count":1.0}}"#;
    let from = Pile { kind: PileKind::Hand, seat: 0, index: None };
    let to = Pile { kind: PileKind::House, seat: 0, index: Some(7) };
    assert_eq!(read(text), Ok(tonj_house::Action::Move { from, to, count: 1 }));
    for text in [
        "{}",
        "null",
        "[]",
        r#"{"reveal":{}}"#,
        r#"{"endTurn":{}}"#,
        r#"{"callTonj":{}}"#,
        r#"{"pass":[]}"#,
        r#"{"pass":{},"discard":{}}"#,
        r#"{"discard":{"card":{}}}"#,
        r#"{"move":{"card":1}}"#,
        r#"{"resign":{}}"#,
    ] {
        assert_eq!(read(text), Err(Reason::MalformedAction), "{text}");
    }
}

/// A card of another pack is malformed, and none can be named twice in an answer that names none.
#[test]
fn an_action_of_trix_reads_back_as_it_was_written() {
    an_action_reads_back_as_it_was_written::<Trix>(|action| match action {
        trix::Action::PlayCard(card) => card.pack() == 0,
        trix::Action::AnswerDouble(named) => !named.cards.is_empty() || !named.twice,
        _ => true,
    });
}

#[test]
fn defaults_are_left_out_and_an_index_never_is() {
    let from = Pile { kind: PileKind::Reserve, seat: 0, index: None };
    let to = Pile { kind: PileKind::House, seat: 0, index: Some(0) };
    let written = Tonj::write_action(&tonj::Action::Move { from, to, count: 0 });
    let expected = r#"{"move":{"from":{"kind":"PILE_KIND_RESERVE"},"to":{"index":0,"kind":"PILE_KIND_HOUSE"}}}"#;
    assert_eq!(written.to_string(), expected);
    assert_eq!(Tonj::write_action(&tonj::Action::EndTurn), json!({"endTurn": {}}));
    assert_eq!(Tonj::write_action(&tonj::Action::CallTonj), json!({"callTonj": {}}));
}

#[test]
fn every_form_of_protobuf_json_is_read() {
    let house = |index| Pile { kind: PileKind::House, seat: 0, index: Some(index) };
    let plain = tonj::Action::Move { from: house(3), to: house(0), count: 2 };
    for text in [
        r#"{"move":{"from":{"kind":"PILE_KIND_HOUSE","index":3},"to":{"kind":"PILE_KIND_HOUSE","index":0},"count":2}}"#,
        r#"{"move":{"from":{"kind":4,"index":"3"},"to":{"kind":4,"index":0,"seat":null},"count":"2"},"reveal":null}"#,
        r#"{"move":{"from":{"kind":4,"index":3.0},"to":{"kind":4,"index":0e0},"count":2.0}}"#,
    ] {
        assert_eq!(Tonj::read_action(&serde_json::from_str(text).unwrap()), Ok(plain), "{text}");
    }
    for text in [r#"{"end_turn":{}}"#, r#"{"endTurn":{}}"#] {
        assert_eq!(Tonj::read_action(&serde_json::from_str(text).unwrap()), Ok(tonj::Action::EndTurn));
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
fn every_form_of_an_action_of_trix_is_read() {
    let king = Card::new(Suit::Hearts, Rank::KING, 0);
    let play = trix::Action::PlayCard(king);
    let answer = |cards: &[Card]| trix::Action::AnswerDouble(cards.iter().copied().collect());
    let queens = trix::Action::ChooseContract(Contract::Queens);
    for (text, action) in [
        (r#"{"playCard":{"card":{"rank":"RANK_KING","suit":"SUIT_HEARTS"}}}"#, play),
        (r#"{"play_card":{"card":{"rank":13,"suit":3,"pack":0}},"pass":null}"#, play),
        (r#"{"playCard":{"card":{"rank":"RANK_KING","suit":3.0,"pack":"0"}}}"#, play),
        (r#"{"answerDouble":{}}"#, answer(&[])),
        (r#"{"answer_double":{"cards":[]}}"#, answer(&[])),
        (r#"{"answerDouble":{"cards":[{"rank":13,"suit":3}]}}"#, answer(&[king])),
        (r#"{"answerDouble":{"cards":[{"rank":13,"suit":3},{"rank":13,"suit":3}]}}"#, answer(&[king, king])),
        (r#"{"chooseContract":{"contract":"CONTRACT_QUEENS"}}"#, queens),
        (r#"{"choose_contract":{"contract":2}}"#, queens),
        (r#"{"pass":{}}"#, trix::Action::Pass),
    ] {
        assert_eq!(Trix::read_action(&serde_json::from_str(text).unwrap()), Ok(action), "{text}");
    }
    assert_ne!(answer(&[king, king]), answer(&[king]));
}

/// X19, X20.
#[test]
fn what_no_action_of_trix_can_be_is_refused_at_any_table() {
    for text in [
        "{}",
        "null",
        r#"{"pass":{},"playCard":{"card":{"rank":13,"suit":3}}}"#,
        r#"{"pass":{"card":{}}}"#,
        r#"{"playCard":{}}"#,
        r#"{"playCard":{"card":{"rank":13}}}"#,
        r#"{"playCard":{"card":{"suit":3}}}"#,
        r#"{"playCard":{"card":{"rank":14,"suit":3}}}"#,
        r#"{"playCard":{"card":{"rank":13,"suit":5}}}"#,
        r#"{"playCard":{"card":{"rank":13,"suit":3,"pack":1}}}"#,
        r#"{"playCard":{"card":"KH"}}"#,
        r#"{"answerDouble":{"cards":[{}]}}"#,
        r#"{"answerDouble":{"cards":[{"rank":13,"suit":3,"pack":1}]}}"#,
        r#"{"answerDouble":{"cards":{}}}"#,
        r#"{"chooseContract":{}}"#,
        r#"{"chooseContract":{"contract":0}}"#,
        r#"{"chooseContract":{"contract":"CONTRACT_UNSPECIFIED"}}"#,
        r#"{"chooseContract":{"contract":"QUEENS"}}"#,
    ] {
        let read = Trix::read_action(&serde_json::from_str(text).unwrap());
        assert_eq!(read, Err(Reason::MalformedAction), "{text}");
    }
    for number in [6, 7, -1, i32::MAX, i32::MIN] {
        let read = Trix::read_action(&json!({"chooseContract": {"contract": number}}));
        assert_eq!(read, Err(Reason::NoSuchContract), "{number}");
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
                let (face, name) = (Face(card), Face(card).to_string());
                assert_eq!(name.parse(), Ok(Face(Card::new(suit, rank, 0))));
                assert_eq!(format!("{face}{pack}"), card.to_string());
                cards.push(card);
            }
        }
    }
    assert_eq!((0..=u8::MAX).filter_map(Card::from_byte).count(), cards.len());
    assert_eq!("TS1".parse(), Ok(Card::new(Suit::Spades, Rank::new(10).unwrap(), 1)));
    for text in ["", "TS", "10S1", "TS2", "ts1", "1S0", "TX0", " TS1", "♠"] {
        assert!(text.parse::<Card>().is_err(), "{text}");
    }
    for text in ["", "T", "10S", "TS0", "ts", "1S", "0S", "TX", " TS", "♠"] {
        assert!(text.parse::<Face>().is_err(), "{text}");
    }
}
