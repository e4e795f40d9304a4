//! Actions as protobuf JSON (`TonjAction`).

use serde_json::{Map, Value};

use super::action::Action;
use crate::crapette::move_json;
use crate::json::{Malformed, empty, fields, object};

/// An action from JSON: exactly one kind, and nothing unknown.
pub(super) fn read(value: &Value) -> Result<Action, Malformed> {
    match fields(value, ["move", "reveal", "discard", "endTurn", "callTonj"])? {
        [Some(placement), None, None, None, None] => {
            move_json::read(placement).map(|(from, to, count)| Action::Move { from, to, count })
        }
        [None, Some(message), None, None, None] => empty(message).map(|()| Action::Reveal),
        [None, None, Some(message), None, None] => empty(message).map(|()| Action::Discard),
        [None, None, None, Some(message), None] => empty(message).map(|()| Action::EndTurn),
        [None, None, None, None, Some(message)] => empty(message).map(|()| Action::CallTonj),
        _ => Err(Malformed),
    }
}

/// An action as canonical JSON.
pub(super) fn write(action: &Action) -> Value {
    let empty = || Value::Object(Map::new());
    match action {
        Action::Move { from, to, count } => move_json::write(from, to, *count),
        Action::Reveal => object([("reveal", empty())]),
        Action::Discard => object([("discard", empty())]),
        Action::EndTurn => object([("endTurn", empty())]),
        Action::CallTonj => object([("callTonj", empty())]),
    }
}
