//! A player's command, exactly as the wire carries it, and its protobuf JSON (`TonjHouseAction`). What it means at a
//! table is `judgement.rs`.

use serde_json::{Map, Value};

use crate::crapette::{Pile, move_json};
use crate::json::{Malformed, empty, fields, object};

/// A player's command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Moves one card (H5).
    Move {
        /// From where.
        from: Pile,
        /// To where.
        to: Pile,
        /// 1, or 0 which means 1; the wire can say more.
        count: u32,
    },
    /// Throws the opened card on the waste (H12).
    Discard,
    /// Passes (H13).
    Pass,
}

/// An action from JSON: exactly one kind, and nothing unknown.
pub(super) fn read(value: &Value) -> Result<Action, Malformed> {
    match fields(value, ["move", "discard", "pass"])? {
        [Some(placement), None, None] => {
            move_json::read(placement).map(|(from, to, count)| Action::Move { from, to, count })
        }
        [None, Some(message), None] => empty(message).map(|()| Action::Discard),
        [None, None, Some(message)] => empty(message).map(|()| Action::Pass),
        _ => Err(Malformed),
    }
}

/// An action as canonical JSON.
pub(super) fn write(action: &Action) -> Value {
    let empty = || Value::Object(Map::new());
    match action {
        Action::Move { from, to, count } => move_json::write(from, to, *count),
        Action::Discard => object([("discard", empty())]),
        Action::Pass => object([("pass", empty())]),
    }
}
