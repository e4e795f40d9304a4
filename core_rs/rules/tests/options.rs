//! Room settings: the one table of bounds, both ways (T42), and the catalogue of refusals.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use majlis_rules::games::tonj::{Options, State, TABLE, TimeoutPolicy};
use majlis_rules::games::{tonj_house, trix};
use majlis_rules::options::OptionFault;
use majlis_rules::refusal::{Reason, Refusal};

/// Default options but for one number.
fn with(at: usize, number: u32) -> Options {
    let mut options = Options::default();
    *options.numbers_mut()[at] = number;
    options
}

#[test]
fn nothing_given_means_the_defaults_of_the_rules() {
    let options = Options::default().resolved().unwrap();
    let expected = Options {
        target_points: 0,
        turn_seconds: 30,
        claim_window_ms: 4000,
        max_claims_per_turn: 3,
        max_transfers_per_turn: 30,
        timeout_policy: TimeoutPolicy::FinishTurn,
        show_legal_moves: false,
    };
    assert_eq!(options, expected);
    assert_eq!(options.resolved().unwrap(), options, "defaults may be given, too");
}

#[test]
fn every_number_has_its_bounds() {
    for (at, bounds) in TABLE.iter().enumerate() {
        assert!(bounds.min <= bounds.default && bounds.default <= bounds.max, "{}", bounds.field);
        for number in [bounds.min.max(1), bounds.max] {
            assert_eq!(*with(at, number).resolved().unwrap().numbers_mut()[at], number);
        }
        let outside = [bounds.max + 1, u32::MAX, bounds.min.saturating_sub(1)];
        for number in outside.into_iter().filter(|&number| number != 0 && !(bounds.min..=bounds.max).contains(&number))
        {
            let fault = with(at, number).resolved().unwrap_err();
            assert_eq!(
                (fault.field, fault.min, fault.max, fault.given),
                (bounds.field, bounds.min, bounds.max, number)
            );
            assert!(State::new(with(at, number), None).is_err());
        }
    }
}

#[test]
fn nothing_given_means_the_defaults_of_the_rules_of_trix() {
    let options = trix::Options::default().resolved().unwrap();
    let expected = trix::Options {
        choose_seconds: 20,
        double_seconds: 10,
        play_seconds: 20,
        auto_play_delay_ms: Some(1500),
        play_out: false,
        forced_capture: trix::ForcedCapture::Base,
        show_legal_moves: Some(true),
        away_delay_ms: 2000,
    };
    assert_eq!(options, expected);
    assert_eq!(options.resolved().unwrap(), options, "defaults may be given, too");
    let off = trix::Options { auto_play_delay_ms: Some(0), show_legal_moves: Some(false), ..trix::Options::default() };
    let resolved = off.resolved().unwrap();
    assert_eq!((resolved.auto_play_delay_ms, resolved.show_legal_moves), (Some(0), Some(false)), "X11: 0 is off");
}

#[test]
fn every_number_of_trix_has_its_bounds() {
    type Put = fn(&mut trix::Options, u32);
    let put: [Put; 5] = [
        |options, number| options.choose_seconds = number,
        |options, number| options.double_seconds = number,
        |options, number| options.play_seconds = number,
        |options, number| options.away_delay_ms = number,
        |options, number| options.auto_play_delay_ms = Some(number),
    ];
    for (put, bounds) in put.into_iter().zip(trix::TABLE) {
        let with = |number| {
            let mut options = trix::Options::default();
            put(&mut options, number);
            options
        };
        for number in [bounds.min, bounds.max] {
            assert_eq!(with(number).resolved().unwrap(), with(number).resolved().unwrap().resolved().unwrap());
        }
        for given in [bounds.min.saturating_sub(1), bounds.max + 1, u32::MAX] {
            if given == 0 {
                assert!(with(0).resolved().is_ok(), "{}: the default, or off", bounds.field);
                continue;
            }
            let fault = OptionFault { field: bounds.field, min: bounds.min, max: bounds.max, given };
            assert_eq!(with(given).resolved(), Err(fault));
            assert!(trix::State::new(with(given), None).is_err());
        }
    }
}

#[test]
fn nothing_given_means_the_defaults_of_the_rules_of_the_house() {
    let options = tonj_house::Options::default().resolved().unwrap();
    let expected = tonj_house::Options {
        turn_seconds: 30,
        penalty_cards: Some(3),
        penalty_source: tonj_house::PenaltySource::OpponentStock,
        max_moves_per_turn: 40,
        max_turns: 400,
        entry_fee_minor: 0,
        rake_bps: 0,
        ranked: false,
        show_legal_moves: false,
    };
    assert_eq!(options, expected);
    assert_eq!(options.resolved().unwrap(), options, "defaults may be given, too");
    let none = tonj_house::Options { penalty_cards: Some(0), ..tonj_house::Options::default() };
    assert_eq!(none.resolved().unwrap().penalty_cards, Some(0), "H28: 0 is none");
}

#[test]
fn every_number_of_the_house_has_its_bounds() {
    type Put = fn(&mut tonj_house::Options, u32);
    let put: [Put; 6] = [
        |options, number| options.turn_seconds = number,
        |options, number| options.max_moves_per_turn = number,
        |options, number| options.max_turns = number,
        |options, number| options.entry_fee_minor = number,
        |options, number| options.rake_bps = number,
        |options, number| options.penalty_cards = Some(number),
    ];
    for (put, bounds) in put.into_iter().zip(tonj_house::TABLE) {
        let with = |number| {
            let mut options = tonj_house::Options::default();
            put(&mut options, number);
            options
        };
        for number in [bounds.min, bounds.max] {
            assert_eq!(with(number).resolved().unwrap(), with(number).resolved().unwrap().resolved().unwrap());
        }
        for given in [bounds.max + 1, u32::MAX] {
            let fault = OptionFault { field: bounds.field, min: bounds.min, max: bounds.max, given };
            assert_eq!(with(given).resolved(), Err(fault));
            assert!(tonj_house::State::new(with(given), None).is_err());
        }
        assert!(with(0).resolved().is_ok(), "{}: the default, or nothing", bounds.field);
    }
}

#[test]
fn reasons_are_public_codes_each_of_its_own() {
    let codes: BTreeSet<&str> = Reason::ALL.iter().map(|reason| reason.code()).collect();
    assert_eq!(codes.len(), Reason::ALL.len());
    for code in codes {
        assert!(code.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_'), "{code}");
    }
    assert_eq!(Refusal::from(Reason::ClaimOpen).limit, None);
    assert_eq!(Refusal::at_limit(Reason::ClaimsUsedUp, 3).to_string(), "CLAIMS_USED_UP");
}
