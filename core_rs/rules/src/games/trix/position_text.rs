//! Trix tables written down: the keys of a position, and the text that a digest of everything is taken over.

use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::contract::Contract;
use super::four::Four;
use super::state::{Phase, State};
use crate::card::{Card, Face};
use crate::census::Notation;
use crate::position::{Object, hex};
use crate::seat::Seat;

/// How Trix positions name cards.
pub(super) const NOTATION: Notation = Notation::Faces;

/// The keys of a Trix position.
pub(super) const KEYS: &[&str] = &[
    "answers",
    "contract",
    "deal_number",
    "doubled",
    "finished",
    "hands",
    "kingdom",
    "owner",
    "phase",
    "played_contracts",
    "rows",
    "taken",
    "totals",
    "trick",
    "tricks_taken",
    "turn_seat",
];

impl Phase {
    /// Its name in positions; one more than they know, of a match that has not begun.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Phase::NotDealt => "NOT_DEALT",
            Phase::Choosing => "CHOOSING",
            Phase::Doubling => "DOUBLING",
            Phase::Tricks => "TRICKS",
            Phase::Layout => "LAYOUT",
            Phase::DealOver | Phase::MatchOver => "OVER",
        }
    }
}

/// Every one of [`KEYS`] with its value.
pub(super) fn write(state: &State) -> Object {
    let by_seat = |pile: &dyn Fn(Seat) -> Value| Value::from(Seat::FOUR.map(pile).to_vec());
    let plays = |plays: &mut dyn Iterator<Item = (Seat, Card)>| plays.map(write_play).collect::<Value>();
    let names = |contracts: &[Contract]| contracts.iter().map(|contract| contract.name()).collect::<Value>();
    let values = [
        write_answers(state).into(),
        state.contract.map(Contract::name).into(),
        state.deal_number.into(),
        plays(&mut state.doubled_cards()),
        state.finished.iter().map(|seat| seat.number()).collect(),
        by_seat(&|seat| NOTATION.list(state.hands[seat])),
        state.kingdom().into(),
        state.owner.number().into(),
        state.phase.name().into(),
        names(&state.played),
        write_rows(state).into(),
        by_seat(&|seat| NOTATION.list(state.taken.by(seat))),
        state.totals.0.to_vec().into(),
        plays(&mut state.trick.plays()),
        state.tricks_taken.0.to_vec().into(),
        state.on_turn().map(Seat::number).into(),
    ];
    KEYS.iter().map(|&key| key.to_owned()).zip(values).collect()
}

fn write_play((seat, card): (Seat, Card)) -> Value {
    json!({"seat": seat.number(), "card": Face(card).to_string()})
}

fn write_answers(state: &State) -> Map<String, Value> {
    let answer = |seat| state.answers[seat].map(|cards| (format!("{seat}"), NOTATION.list(cards)));
    Seat::FOUR.into_iter().filter_map(answer).collect()
}

fn write_rows(state: &State) -> Map<String, Value> {
    let ends = |low: char, high: char| json!([low.to_string(), high.to_string()]);
    state.rows().map(|(suit, low, high)| (suit.letter().to_string(), ends(low.letter(), high.letter()))).collect()
}

/// All that a state holds: its position, and what no position says.
pub(super) fn canonical_text(state: &State) -> String {
    let mut text = Value::Object(write(state)).to_string();
    let deal = state.deal();
    let seed = deal.map(|deal| hex(deal.seed()));
    let entropies: Vec<String> =
        deal.map_or(&[][..], |deal| deal.entropies()).iter().map(|entropy| hex(entropy)).collect();
    let (Four(points), Four(away)) = (state.points, state.away);
    let history = (&state.trick.leader, &state.last_trick, &state.taken);
    let rest = (&state.options, state.phase, points, &state.winners, away, state.turn, state.clocks_started);
    // Writing into a string does not fail.
    let _ = write!(text, "\n{rest:?}\n{history:?}\n{seed:?} {entropies:?}");
    text
}
