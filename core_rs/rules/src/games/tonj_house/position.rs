//! Tables of the house edition as positions: reading one. What cannot stand is `position_checks.rs`, writing is
//! `position_text.rs`.

use std::sync::Arc;

use serde_json::Value;

use super::options::{Options, PenaltySource};
use super::position_checks::{can_stand, cards_fit};
use super::position_text::HAND_NUMBER;
use super::state::{Phase, Retired, State};
use crate::card::Suit;
use crate::census::{Census, Notation};
use crate::crapette::position::{capped, read_table};
use crate::json::{Malformed, boolean, enumeration, fields, uint32, uint32_or_zero};
use crate::position::{Fault, Given, Keys};
use crate::seat::Seat;

/// The state of a position.
pub(super) fn read(given: &Given, keys: &Keys<'_>) -> Result<State, Fault> {
    let options =
        read_options(&given.options).map_err(|Malformed| Fault("options is no TonjHouseOptions message".into()))?;
    let mut state = State::new(options, None).map_err(|fault| Fault(fault.to_string()))?;
    state.deal = given.next_deals().map(Arc::new);
    state.phase = Phase::Playing;
    state.turn_number = keys.counter("turn_number")?;
    state.turn = keys.seat("turn_seat", 2)?.ok_or_else(|| Fault("no turn_seat".into()))?;
    state.starter = keys.seat("starter", 2)?.unwrap_or(Seat::ZERO);
    // The placement that would reach the cap has ended the turn (H16).
    state.moves = capped(keys, "moves", state.options.max_moves_per_turn - 1)?;
    state.passes = keys.number("passes", 0)?;
    state.retired = read_retired(keys)?;
    let mut census = Census::new(Notation::Packs);
    state.table = read_table(keys, &mut census)?;
    is_idle(keys)?;
    cards_fit(&census, state.retired, given.partial)?;
    can_stand(&state)?;
    Ok(state)
}

/// What the family's positions have and the house edition knows nothing of.
fn is_idle(keys: &Keys<'_>) -> Result<(), Fault> {
    if keys.counter("hand_number")? != HAND_NUMBER {
        return Err(Fault("hand_number is not 1: a match of the house edition has one hand".into()));
    }
    if keys.get("claim").is_some() {
        return Err(Fault("claim: the house edition has none".into()));
    }
    if keys.numbers::<2>("totals")? != [0, 0] {
        return Err(Fault("totals: the house edition has no points".into()));
    }
    Ok(())
}

fn read_retired(keys: &Keys<'_>) -> Result<Retired, Fault> {
    let mut retired = Retired::default();
    for (name, value) in keys.members("retired")? {
        let fault = || Fault(format!("retired.{name} is no suit with a count of 0 to 2"));
        let suit = Suit::ALL.into_iter().find(|suit| suit.letter().to_string() == *name).ok_or_else(fault)?;
        let count = value.as_u64().filter(|&count| count <= 2).ok_or_else(fault)?;
        (0..count).for_each(|_| retired.add(suit));
    }
    Ok(retired)
}

/// `TonjHouseOptions` as protobuf JSON.
fn read_options(value: &Value) -> Result<Options, Malformed> {
    let names = [
        "turnSeconds",
        "penaltyCards",
        "penaltySource",
        "maxMovesPerTurn",
        "maxTurns",
        "entryFeeMinor",
        "rakeBps",
        "ranked",
        "showLegalMoves",
    ];
    let [turn, penalty, source, moves, turns, fee, rake, ranked, show] = fields(value, names)?;
    let sources = ["PENALTY_SOURCE_UNSPECIFIED", PenaltySource::OpponentStock.name(), PenaltySource::OwnStock.name()];
    Ok(Options {
        turn_seconds: uint32_or_zero(turn)?,
        penalty_cards: penalty.map(uint32).transpose()?,
        penalty_source: match enumeration(source, &sources)? {
            0 | 1 => PenaltySource::OpponentStock,
            2 => PenaltySource::OwnStock,
            _ => return Err(Malformed),
        },
        max_moves_per_turn: uint32_or_zero(moves)?,
        max_turns: uint32_or_zero(turns)?,
        entry_fee_minor: uint32_or_zero(fee)?,
        rake_bps: uint32_or_zero(rake)?,
        ranked: boolean(ranked)?,
        show_legal_moves: boolean(show)?,
    })
}
