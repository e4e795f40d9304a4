//! Cards on the wire.

use majlis_rules::card::{Card, Rank, Suit};

use crate::wire::v1;

/// A card that its reader may see.
pub(crate) fn write(card: Card) -> v1::Card {
    v1::Card {
        suit: i32::from(card.suit().index()) + 1,
        rank: i32::from(card.rank().number()),
        pack: u32::from(card.pack()),
    }
}

/// A card read back; `None` if it is none.
pub(crate) fn read(card: &v1::Card) -> Option<Card> {
    let suit = Suit::ALL.get(usize::try_from(card.suit).ok()?.checked_sub(1)?)?;
    let rank = Rank::new(u8::try_from(card.rank).ok()?)?;
    (card.pack < 2).then(|| Card::new(*suit, rank, card.pack as u8))
}
