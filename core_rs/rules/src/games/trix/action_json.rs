//! Actions as protobuf JSON (`TrixAction`). What is malformed here never reaches the rules (X19).

use serde_json::{Map, Value, json};

use super::action::Action;
use super::contract::Contract;
use crate::card_json;
use crate::json::{Malformed, empty, enumeration, fields, object};
use crate::refusal::Reason;

const CONTRACTS: [&str; 6] = [
    "CONTRACT_UNSPECIFIED",
    "CONTRACT_KING_OF_HEARTS",
    "CONTRACT_QUEENS",
    "CONTRACT_DIAMONDS",
    "CONTRACT_LTOOSH",
    "CONTRACT_TRIX",
];

/// An action from JSON: exactly one kind, nothing unspecified and nothing unknown.
pub(super) fn read(value: &Value) -> Result<Action, Reason> {
    let kinds = fields(value, ["chooseContract", "answerDouble", "playCard", "pass"]);
    let action = match kinds.map_err(malformed)? {
        [Some(message), None, None, None] => return read_choice(message),
        [None, Some(message), None, None] => read_answer(message),
        [None, None, Some(message), None] => read_card(message),
        [None, None, None, Some(message)] => empty(message).map(|()| Action::Pass),
        _ => Err(Malformed),
    };
    action.map_err(malformed)
}

/// A number beyond the five is a contract that there is not (X20).
fn read_choice(value: &Value) -> Result<Action, Reason> {
    let [contract] = fields(value, ["contract"]).map_err(malformed)?;
    let number = enumeration(contract, &CONTRACTS).map_err(malformed)?;
    let at = number.checked_sub(1).ok_or(Reason::MalformedAction)?;
    Contract::ALL.get(at).map(|&contract| Action::ChooseContract(contract)).ok_or(Reason::NoSuchContract)
}

fn read_answer(value: &Value) -> Result<Action, Malformed> {
    let [cards] = fields(value, ["cards"])?;
    let cards = cards.map_or(Ok(&[][..]), |cards| cards.as_array().map(Vec::as_slice).ok_or(Malformed))?;
    cards.iter().map(card_json::read).collect::<Result<_, _>>().map(Action::AnswerDouble)
}

fn read_card(value: &Value) -> Result<Action, Malformed> {
    let [card] = fields(value, ["card"])?;
    card.ok_or(Malformed).and_then(card_json::read).map(Action::PlayCard)
}

fn malformed(_: Malformed) -> Reason {
    Reason::MalformedAction
}

/// An action as canonical JSON: camelCase, enum names, defaults left out.
pub(super) fn write(action: &Action) -> Value {
    let empty = || Value::Object(Map::new());
    match action {
        Action::ChooseContract(contract) => {
            let name = format!("CONTRACT_{}", contract.name());
            object([("chooseContract", json!({"contract": name}))])
        }
        Action::AnswerDouble(named) if named.cards.is_empty() => object([("answerDouble", empty())]),
        Action::AnswerDouble(named) => {
            // A card that was named twice is written twice, whichever it was.
            let again = named.cards.iter().take(usize::from(named.twice));
            let cards: Vec<Value> = named.cards.iter().chain(again).map(card_json::write).collect();
            object([("answerDouble", json!({"cards": cards}))])
        }
        Action::PlayCard(card) => object([("playCard", json!({"card": card_json::write(*card)}))]),
        Action::Pass => object([("pass", empty())]),
    }
}
