//! Actions: read from the wire, judged by nobody yet, and written back.

use majlis_rules::{
    card::Card,
    games::trix::{Action, Named},
    refusal::Reason,
};

use super::contract;
use crate::{
    card,
    errors::Fault,
    wire::v1::{self, trix_action as message},
};

/// An action as it was sent.
///
/// # Errors
/// [`Fault::Malformed`] when it says nothing that can be judged: no kind, no contract, or what is no card of the one
/// pack (X19). [`Fault::Refused`] for a contract of another number than theirs.
pub(crate) fn read(action: &v1::TrixAction, path: &str) -> Result<Action, Fault> {
    match &action.kind {
        None => Err(Fault::field(path, "has no kind")),
        Some(message::Kind::ChooseContract(choice)) => match contract::read(choice.contract) {
            Some(contract) => Ok(Action::ChooseContract(contract)),
            None if choice.contract == 0 => {
                Err(Fault::field(&format!("{path}.choose_contract.contract"), "is missing"))
            }
            None => Err(Reason::NoSuchContract.into()),
        },
        Some(message::Kind::AnswerDouble(answer)) => {
            let cards = (0..).zip(&answer.cards).map(|(at, card)| {
                let at: u32 = at;
                read_card(card, || format!("{path}.answer_double.cards[{at}]"))
            });
            cards.collect::<Result<Named, Fault>>().map(Action::AnswerDouble)
        }
        Some(message::Kind::PlayCard(play)) => {
            let path = || format!("{path}.play_card.card");
            let card = play.card.as_ref().ok_or_else(|| Fault::field(&path(), "is missing"))?;
            read_card(card, path).map(Action::PlayCard)
        }
        Some(message::Kind::Pass(_)) => Ok(Action::Pass),
    }
}

fn read_card(card: &v1::Card, path: impl FnOnce() -> String) -> Result<Card, Fault> {
    let read = card::read(card).filter(|card| card.pack() == 0);
    read.ok_or_else(|| Fault::field(&path(), "is no card of this game's pack"))
}

/// The name of an action, for metrics.
pub(crate) fn kind(action: &Action) -> &'static str {
    match action {
        Action::ChooseContract(_) => "choose_contract",
        Action::AnswerDouble(_) => "answer_double",
        Action::PlayCard(_) => "play_card",
        Action::Pass => "pass",
    }
}

/// An action that may be done now, for the seat that may do it.
pub(crate) fn write(action: &Action) -> v1::TrixAction {
    let kind = match action {
        Action::ChooseContract(chosen) => {
            message::Kind::ChooseContract(message::ChooseContract { contract: contract::write(*chosen) as i32 })
        }
        Action::AnswerDouble(named) => {
            message::Kind::AnswerDouble(message::AnswerDouble { cards: named.cards.iter().map(card::write).collect() })
        }
        Action::PlayCard(card) => message::Kind::PlayCard(message::PlayCard { card: Some(card::write(*card)) }),
        Action::Pass => message::Kind::Pass(message::Pass {}),
    };
    v1::TrixAction { kind: Some(kind) }
}
