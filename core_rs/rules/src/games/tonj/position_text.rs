//! Tonj tables written down: the keys of a position, and the text that a digest of everything is taken over.

use std::fmt::Write;

use serde_json::{Value, json};

use super::action_json;
use super::state::State;
use crate::crapette::position::write_table;
use crate::position::{Object, hex};

/// The keys of a Tonj position.
pub(super) const KEYS: &[&str] = &[
    "claim",
    "claims",
    "foundations",
    "hand_number",
    "hands",
    "houses",
    "pending",
    "quiet",
    "reserves",
    "starter",
    "totals",
    "transfers",
    "turn_number",
    "turn_seat",
    "wastes",
];

/// Every one of [`KEYS`] with its value.
pub(super) fn write(state: &State) -> Object {
    let claim = state.claim.as_ref().map(|claim| {
        json!({
            "offender": claim.offender.number(),
            "attempt": action_json::write(&claim.attempt),
            "class": claim.class.letter(),
        })
    });
    let counters = [
        ("claim", claim.unwrap_or_default()),
        ("claims", state.claims.into()),
        ("hand_number", state.hand_number.into()),
        ("quiet", state.quiet.0.to_vec().into()),
        ("starter", state.starter.number().into()),
        ("totals", state.totals.0.to_vec().into()),
        ("transfers", state.transfers.into()),
        ("turn_number", state.turn_number.into()),
        ("turn_seat", state.turn.number().into()),
    ];
    let mut position = write_table(&state.table);
    position.extend(counters.map(|(key, value)| (key.to_owned(), value)));
    position
}

/// All that a state holds: its position, and what no position says.
pub(super) fn canonical_text(state: &State) -> String {
    let mut text = Value::Object(write(state)).to_string();
    let deal = state.deal();
    let seed = deal.map(|deal| hex(deal.seed()));
    let entropies: Vec<String> =
        deal.map_or(&[][..], |deal| deal.entropies()).iter().map(|entropy| hex(entropy)).collect();
    let rest = (&state.options, state.phase, state.visits.all(), &state.ending, &state.clocks_started, seed, entropies);
    // Writing into a string does not fail.
    let _ = write!(text, "\n{rest:?}");
    text
}
