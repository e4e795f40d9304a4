//! The cards of a position: how they are written, and where each of them stands.

use serde_json::Value;

use crate::card::{Card, Face};
use crate::position::Fault;

/// How a game's positions write its cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// Of two packs: `7H0`.
    Packs,
    /// Of one pack: `7H`.
    Faces,
}

impl Notation {
    /// The card of a text, if it is one.
    #[must_use]
    pub fn read(self, text: &str) -> Option<Card> {
        match self {
            Notation::Packs => text.parse().ok(),
            Notation::Faces => text.parse().ok().map(|Face(card)| card),
        }
    }

    /// A card as text.
    #[must_use]
    pub fn write(self, card: Card) -> String {
        match self {
            Notation::Packs => card.to_string(),
            Notation::Faces => Face(card).to_string(),
        }
    }

    /// Cards as a position lists them.
    pub fn list(self, cards: impl IntoIterator<Item = Card>) -> Value {
        cards.into_iter().map(|card| Value::from(self.write(card))).collect()
    }
}

/// Which cards stand where, so that none stands twice.
pub struct Census {
    notation: Notation,
    cards: Vec<(Card, String)>,
}

impl Census {
    /// An empty table.
    #[must_use]
    pub const fn new(notation: Notation) -> Census {
        Census { notation, cards: Vec::new() }
    }

    /// Reads a card and notes where it stands.
    ///
    /// # Errors
    /// [`Fault`] if it is no card, or stands elsewhere too.
    pub fn card(&mut self, value: &Value, place: &str) -> Result<Card, Fault> {
        let card = self.named(value, place)?;
        self.note(card, place)?;
        Ok(card)
    }

    /// Notes where a card stands.
    ///
    /// # Errors
    /// [`Fault`] if it stands elsewhere too.
    pub fn note(&mut self, card: Card, place: &str) -> Result<(), Fault> {
        match self.cards.iter().find(|(other, _)| *other == card) {
            Some((_, first)) => Err(Fault(format!("{} stands twice: {first}, {place}", self.notation.write(card)))),
            None => {
                self.cards.push((card, place.to_owned()));
                Ok(())
            }
        }
    }

    /// Reads a card that is only spoken of at that place.
    ///
    /// # Errors
    /// [`Fault`] if it is no card.
    pub fn named(&self, value: &Value, place: &str) -> Result<Card, Fault> {
        let card = value.as_str().and_then(|text| self.notation.read(text));
        card.ok_or_else(|| Fault(format!("{place} holds {value}, which is no card")))
    }

    /// The cards that stand on the table.
    pub fn cards(&self) -> impl Iterator<Item = Card> {
        self.cards.iter().map(|&(card, _)| card)
    }

    /// How many cards stand on the table.
    #[must_use]
    pub fn len(&self) -> usize {
        self.cards.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cards.is_empty()
    }
}
