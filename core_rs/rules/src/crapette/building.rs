//! What fits where, by the cards alone (T9–T11, T13; H4–H6): no priorities, no turns, no counts. Foundations judge what
//! fits them themselves.

use super::faces::Faces;
use super::foundations::equal_bytes;
use super::slot::{Row, Slots};
use super::stack::Stack;
use crate::card::Card;

/// One rank lower and of the other colour (T10).
pub(crate) const fn builds_on(card: Card, outer: Card) -> bool {
    card.rank().number() + 1 == outer.rank().number() && card.suit().is_red() != outer.suit().is_red()
}

/// What may be loaded on a pile: the same suit, the rank one up or one down; nothing on an empty one (T11).
pub(crate) const fn loads_on(top: Option<Card>) -> Faces {
    match top {
        Some(top) => Faces::beside(top),
        None => Faces::NONE,
    }
}

/// Whether cards, innermost first, form a correctly built run (T13).
pub(crate) fn is_run(cards: &[Card]) -> bool {
    cards.iter().zip(cards.iter().skip(1)).all(|(&inner, &outer)| builds_on(outer, inner))
}

/// What all eight houses take, looked up for many cards at once.
#[derive(Clone, Copy)]
pub(crate) struct Houses {
    /// By slot, the key of the cards that may be built on it.
    wanted: [u8; 8],
    /// The keys that any of them wants, one bit each: most cards fit nowhere.
    wanted_anywhere: u32,
    /// Those without cards.
    pub(crate) empty: Slots,
}

/// Equal for cards that may be built on the same houses: rank and colour. Below 28.
const fn key(card: Card) -> u8 {
    card.rank().number() << 1 | card.suit().is_red() as u8
}

impl Houses {
    pub(crate) fn of(houses: &Row<Stack>) -> Houses {
        // 0 is the key of no card; nor has any the keys 0 and 1, which an ace would want.
        let (mut wanted, mut wanted_anywhere, mut empty) = ([0; 8], 0, 0);
        for (at, (wanted, house)) in wanted.iter_mut().zip(&houses.0).enumerate() {
            match house.top() {
                Some(outer) => *wanted = (key(outer) - 2) ^ 1,
                None => empty |= 1 << at,
            }
            wanted_anywhere |= 1 << *wanted;
        }
        Houses { wanted, wanted_anywhere, empty: Slots(empty) }
    }

    /// The houses with cards on which `card` may be built (T10).
    pub(crate) fn taking(&self, card: Card) -> Slots {
        let key = key(card);
        if self.wanted_anywhere >> key & 1 == 0 { Slots::NONE } else { equal_bytes(&self.wanted, key) }
    }
}
