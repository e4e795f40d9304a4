//! Tonj tables written down: the keys of a position, and the text that a digest of everything is taken over.

use std::fmt::Write;

use serde_json::{Value, json};

use super::action_json;
use super::slot::Slot;
use super::state::State;
use crate::census::Notation;
use crate::position::{Object, hex};
use crate::seat::Seat;

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
    let table = &state.table;
    let by_seat = |pile: &dyn Fn(Seat) -> Value| Value::from(vec![pile(Seat::ZERO), pile(Seat::ONE)]);
    let by_slot = |pile: &dyn Fn(Slot) -> Value| Value::from(Slot::ALL.map(pile).to_vec());
    let claim = state.claim.as_ref().map(|claim| {
        json!({
            "offender": claim.offender.number(),
            "attempt": action_json::write(&claim.attempt),
            "class": claim.class.letter(),
        })
    });
    let values = [
        claim.unwrap_or_default(),
        state.claims.into(),
        by_slot(&|slot| Notation::Packs.list(table.foundations.cards(slot))),
        state.hand_number.into(),
        by_seat(&|seat| Notation::Packs.list(table.hands[seat].cards().iter().rev().copied())),
        by_slot(&|slot| Notation::Packs.list(table.houses[slot].cards().iter().copied())),
        table.pending.map_or(Value::Null, |card| card.to_string().into()),
        state.quiet.0.to_vec().into(),
        by_seat(&|seat| Notation::Packs.list(table.reserves[seat].cards().iter().copied())),
        state.starter.number().into(),
        state.totals.0.to_vec().into(),
        state.transfers.into(),
        state.turn_number.into(),
        state.turn.number().into(),
        by_seat(&|seat| Notation::Packs.list(table.wastes[seat].cards().iter().copied())),
    ];
    KEYS.iter().map(|&key| key.to_owned()).zip(values).collect()
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
