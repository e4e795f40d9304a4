//! Actions as protobuf JSON (`TonjAction`). What is malformed here never reaches the rules; what is well-formed may
//! still name piles that there are not (T37).

use serde_json::{Map, Value, json};

use super::action::{Action, Pile, PileKind};
use crate::json::{Malformed, empty, enumeration, fields, object, uint32, uint32_or_zero};

const KINDS: [(PileKind, &str); 6] = [
    (PileKind::Unspecified, "PILE_KIND_UNSPECIFIED"),
    (PileKind::Reserve, "PILE_KIND_RESERVE"),
    (PileKind::Hand, "PILE_KIND_HAND"),
    (PileKind::Waste, "PILE_KIND_WASTE"),
    (PileKind::House, "PILE_KIND_HOUSE"),
    (PileKind::Foundation, "PILE_KIND_FOUNDATION"),
];

/// An action from JSON: exactly one kind, and nothing unknown.
pub(super) fn read(value: &Value) -> Result<Action, Malformed> {
    match fields(value, ["move", "reveal", "discard", "endTurn", "callTonj"])? {
        [Some(placement), None, None, None, None] => read_move(placement),
        [None, Some(message), None, None, None] => empty(message).map(|()| Action::Reveal),
        [None, None, Some(message), None, None] => empty(message).map(|()| Action::Discard),
        [None, None, None, Some(message), None] => empty(message).map(|()| Action::EndTurn),
        [None, None, None, None, Some(message)] => empty(message).map(|()| Action::CallTonj),
        _ => Err(Malformed),
    }
}

fn read_move(value: &Value) -> Result<Action, Malformed> {
    let [from, to, count] = fields(value, ["from", "to", "count"])?;
    Ok(Action::Move { from: read_pile(from)?, to: read_pile(to)?, count: uint32_or_zero(count)? })
}

fn read_pile(value: Option<&Value>) -> Result<Pile, Malformed> {
    let Some(value) = value else { return Ok(Pile::default()) };
    let [kind, seat, index] = fields(value, ["kind", "seat", "index"])?;
    let kind = enumeration(kind, &KINDS.map(|(_, name)| name))?;
    Ok(Pile {
        kind: KINDS.get(kind).map_or(PileKind::Unspecified, |&(kind, _)| kind),
        seat: uint32_or_zero(seat)?,
        index: index.map(uint32).transpose()?,
    })
}

/// An action as canonical JSON: camelCase, enum names, defaults left out.
pub(super) fn write(action: &Action) -> Value {
    let empty = || Value::Object(Map::new());
    match action {
        Action::Move { from, to, count } => {
            let mut members = Map::new();
            members.insert("from".into(), write_pile(from));
            members.insert("to".into(), write_pile(to));
            if *count != 0 {
                members.insert("count".into(), json!(count));
            }
            object([("move", members.into())])
        }
        Action::Reveal => object([("reveal", empty())]),
        Action::Discard => object([("discard", empty())]),
        Action::EndTurn => object([("endTurn", empty())]),
        Action::CallTonj => object([("callTonj", empty())]),
    }
}

fn write_pile(pile: &Pile) -> Value {
    let mut members = Map::new();
    if let Some((_, name)) = KINDS.iter().skip(1).find(|(kind, _)| *kind == pile.kind) {
        members.insert("kind".into(), json!(name));
    }
    if pile.seat != 0 {
        members.insert("seat".into(), json!(pile.seat));
    }
    if let Some(index) = pile.index {
        members.insert("index".into(), json!(index));
    }
    members.into()
}
