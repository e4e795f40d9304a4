//! The eight foundations: what each holds and which card it takes next (T9). They are never a source (T8), so a
//! foundation is its suit, its height, and the pack each of its cards came from.

use super::slot::{Slot, Slots};
use crate::card::{Card, Rank, Suit};

/// What an empty foundation waits for: any ace.
const ANY_ACE: u8 = 0;
/// A foundation that has its king waits for nothing.
const NOTHING: u8 = u8::MAX;

/// All eight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Foundations {
    /// The key (see [`key`]) of the card that each takes next.
    wanted: [u8; 8],
    /// Suit and height, by slot.
    built: [Option<Built>; 8],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Built {
    suit: Suit,
    height: Rank,
    /// Bit `r` is the pack of the card of rank `r`.
    packs: u16,
}

/// Equal for a card and for the foundations that take it.
const fn key(card: Card) -> u8 {
    if card.rank().number() == 1 { ANY_ACE } else { card.face() }
}

impl Foundations {
    /// Those on which `card` may be put (T9).
    #[must_use]
    pub fn fitting(&self, card: Card) -> Slots {
        equal_bytes(&self.wanted, key(card))
    }

    /// The top card and the height of one; `None` if it is empty.
    #[must_use]
    pub fn top(&self, slot: Slot) -> Option<(Card, u8)> {
        let built = self.built(slot)?;
        Some((built.card(built.height), built.height.number()))
    }

    /// Its cards, ace first.
    pub fn cards(&self, slot: Slot) -> impl Iterator<Item = Card> + use<> {
        let built = self.built(slot);
        built.into_iter().flat_map(|built| {
            Rank::all().take_while(move |&rank| rank <= built.height).map(move |rank| built.card(rank))
        })
    }

    /// Puts a card that fits on top.
    pub(super) fn push(&mut self, slot: Slot, card: Card) {
        let at = usize::from(slot.number());
        let (Some(wanted), Some(built)) = (self.wanted.get_mut(at), self.built.get_mut(at)) else { return };
        let packs = built.map_or(0, |built| built.packs) | u16::from(card.pack()) << card.rank().number();
        *built = Some(Built { suit: card.suit(), height: card.rank(), packs });
        *wanted = match Rank::new(card.rank().number() + 1) {
            Some(next) => Card::new(card.suit(), next, 0).face(),
            None => NOTHING,
        };
    }

    fn built(&self, slot: Slot) -> Option<Built> {
        self.built.get(usize::from(slot.number())).copied().flatten()
    }
}

impl Built {
    const fn card(self, rank: Rank) -> Card {
        Card::new(self.suit, rank, (self.packs >> rank.number() & 1) as u8)
    }
}

/// The slots at which `row` has `byte`.
pub(super) fn equal_bytes(row: &[u8; 8], byte: u8) -> Slots {
    let mut slots = 0;
    for (at, &one) in row.iter().enumerate() {
        slots |= u8::from(one == byte) << at;
    }
    Slots(slots)
}
