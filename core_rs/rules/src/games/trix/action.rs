//! A player's command. Its JSON is `action_json.rs`.

use super::card_set::CardSet;
use super::contract::Contract;
use crate::card::Card;

/// The cards that a doubling answer names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Named {
    /// Which.
    pub cards: CardSet,
    /// Whether one of them was named more than once (X16).
    pub twice: bool,
}

impl FromIterator<Card> for Named {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Named {
        let mut named = Named::default();
        for card in cards {
            named.twice |= named.cards.contains(card);
            named.cards.insert(card);
        }
        named
    }
}

/// A player's command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Picks the contract of the deal (X3).
    ChooseContract(Contract),
    /// The one answer of a seat that holds cards which may be doubled (X4).
    AnswerDouble(Named),
    /// Plays a card.
    PlayCard(Card),
    /// Passes, for want of a card that fits (X10).
    Pass,
}
