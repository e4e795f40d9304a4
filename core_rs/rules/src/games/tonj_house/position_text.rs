//! Tables of the house edition written down: the keys of a position, and the text that a digest of everything is taken
//! over.

use std::fmt::Write;

use serde_json::Value;

use super::state::State;
use crate::card::Suit;
use crate::crapette::position::write_table;
use crate::position::{Object, hex};

/// The keys that a position may have. `claim` and `totals` belong to the family, but a match of the house edition knows
/// neither claims nor points: they may stand there idle, and are not printed.
pub(super) const KEYS: &[&str] = &[
    "claim",
    "foundations",
    "hand_number",
    "hands",
    "houses",
    "moves",
    "passes",
    "pending",
    "reserves",
    "retired",
    "starter",
    "totals",
    "turn_number",
    "turn_seat",
    "wastes",
];

/// A match has one hand.
pub(super) const HAND_NUMBER: u32 = 1;

/// Every key but the idle ones, with its value.
pub(super) fn write(state: &State) -> Object {
    let retired: Object =
        Suit::ALL.iter().map(|&suit| (suit.letter().to_string(), state.retired.count(suit).into())).collect();
    let counters = [
        ("hand_number", HAND_NUMBER.into()),
        ("moves", state.moves.into()),
        ("passes", state.passes.into()),
        ("retired", retired.into()),
        ("starter", state.starter.number().into()),
        ("turn_number", state.turn_number.into()),
        ("turn_seat", state.turn.number().into()),
    ];
    let mut position = write_table(&state.table);
    position.extend(counters.map(|(key, value): (&str, Value)| (key.to_owned(), value)));
    position
}

/// All that a state holds: its position, and what no position says.
pub(super) fn canonical_text(state: &State) -> String {
    let mut text = Value::Object(write(state)).to_string();
    let deal = state.deal();
    let seed = deal.map(|deal| hex(deal.seed()));
    let entropies: Vec<String> =
        deal.map_or(&[][..], |deal| deal.entropies()).iter().map(|entropy| hex(entropy)).collect();
    let rest = (&state.options, state.phase, &state.ending, state.clocks_started, seed, entropies);
    // Writing into a string does not fail.
    let _ = write!(text, "\n{rest:?}");
    text
}
