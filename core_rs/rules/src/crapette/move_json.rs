//! Moves and the piles they name as protobuf JSON (`TonjAction.Move`, `Pile`). What is malformed here never reaches the
//! rules; what is well-formed may still name piles that there are not (T37).

use serde_json::{Map, Value, json};

use super::pile::{Pile, PileKind};
use crate::json::{Malformed, enumeration, fields, object, uint32, uint32_or_zero};

const KINDS: [(PileKind, &str); 6] = [
    (PileKind::Unspecified, "PILE_KIND_UNSPECIFIED"),
    (PileKind::Reserve, "PILE_KIND_RESERVE"),
    (PileKind::Hand, "PILE_KIND_HAND"),
    (PileKind::Waste, "PILE_KIND_WASTE"),
    (PileKind::House, "PILE_KIND_HOUSE"),
    (PileKind::Foundation, "PILE_KIND_FOUNDATION"),
];

/// From where, to where, and how many cards; 0 means 1.
pub(crate) fn read(value: &Value) -> Result<(Pile, Pile, u32), Malformed> {
    let [from, to, count] = fields(value, ["from", "to", "count"])?;
    Ok((read_pile(from)?, read_pile(to)?, uint32_or_zero(count)?))
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

/// The action that is a move, as canonical JSON: camelCase, enum names, defaults left out.
pub(crate) fn write(from: &Pile, to: &Pile, count: u32) -> Value {
    let mut members = Map::new();
    members.insert("from".into(), write_pile(from));
    members.insert("to".into(), write_pile(to));
    if count != 0 {
        members.insert("count".into(), json!(count));
    }
    object([("move", members.into())])
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
