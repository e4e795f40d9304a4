//! Cards of a game with one pack as protobuf JSON (`Card`).

use serde_json::{Value, json};

use crate::card::{Card, Rank, Suit};
use crate::json::{Malformed, enumeration, fields, uint32_or_zero};

const SUITS: [&str; 5] = ["SUIT_UNSPECIFIED", "SUIT_CLUBS", "SUIT_DIAMONDS", "SUIT_HEARTS", "SUIT_SPADES"];
const RANKS: [&str; 14] = [
    "RANK_UNSPECIFIED",
    "RANK_ACE",
    "RANK_TWO",
    "RANK_THREE",
    "RANK_FOUR",
    "RANK_FIVE",
    "RANK_SIX",
    "RANK_SEVEN",
    "RANK_EIGHT",
    "RANK_NINE",
    "RANK_TEN",
    "RANK_JACK",
    "RANK_QUEEN",
    "RANK_KING",
];

/// A card from JSON.
///
/// # Errors
/// [`Malformed`] if suit or rank is unspecified or unknown, or a pack is named.
pub fn read(value: &Value) -> Result<Card, Malformed> {
    let [suit, rank, pack] = fields(value, ["suit", "rank", "pack"])?;
    let suit = enumeration(suit, &SUITS)?.checked_sub(1).and_then(|at| Suit::ALL.get(at));
    let rank = u8::try_from(enumeration(rank, &RANKS)?).ok().and_then(Rank::new);
    match (suit, rank, uint32_or_zero(pack)?) {
        (Some(&suit), Some(rank), 0) => Ok(Card::new(suit, rank, 0)),
        _ => Err(Malformed),
    }
}

/// A card as canonical JSON.
#[must_use]
pub fn write(card: Card) -> Value {
    let suit = SUITS.get(usize::from(card.suit().index()) + 1);
    let rank = RANKS.get(usize::from(card.rank().number()));
    json!({"suit": suit, "rank": rank})
}
