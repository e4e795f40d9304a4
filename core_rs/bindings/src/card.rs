//! Cards on the wire, and as text in view digests.

use std::fmt::{self, Write};

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

/// A card that may be absent, read back; `None` if it is there and is none.
#[expect(clippy::option_option)]
pub(crate) fn read_optional(card: Option<&v1::Card>) -> Option<Option<Card>> {
    match card {
        None => Some(None),
        Some(card) => read(card).map(Some),
    }
}

/// Rank, suit and pack, `7H0`; `-` for no card.
pub(crate) struct Face<'a>(pub(crate) Option<&'a v1::Card>);

impl fmt::Display for Face<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Plain(self.0))?;
        match self.0 {
            None => Ok(()),
            Some(card) => f.write_char(if card.pack == 0 { '0' } else { '1' }),
        }
    }
}

/// Rank and suit, `7H`, in games of one pack; `-` for no card.
pub(crate) struct Plain<'a>(pub(crate) Option<&'a v1::Card>);

impl fmt::Display for Plain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(card) = self.0 else { return f.write_char('-') };
        f.write_char(rank_letter(card.rank))?;
        f.write_char(suit_letter(card.suit))
    }
}

/// A rank of the wire as a letter.
pub(crate) fn rank_letter(rank: i32) -> char {
    letter(b"?A23456789TJQK", rank)
}

/// A suit of the wire as a letter.
pub(crate) fn suit_letter(suit: i32) -> char {
    letter(b"?CDHS", suit)
}

fn letter(letters: &[u8], at: i32) -> char {
    usize::try_from(at).ok().and_then(|at| letters.get(at)).map_or('?', |&letter| char::from(letter))
}
