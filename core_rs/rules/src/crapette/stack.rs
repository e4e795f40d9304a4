//! A pile of cards that is worked at its top. It may hold face-down cards, so its Debug tells the count only.

use std::fmt;

use arrayvec::ArrayVec;

use crate::card::Card;

/// The most cards a pile can have: all there are.
pub const ALL_CARDS: usize = 104;

/// A pile, bottom first, top last.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Stack(ArrayVec<Card, ALL_CARDS>);

impl Stack {
    /// The pile of those cards, bottom first; what is beyond [`ALL_CARDS`] does not exist.
    pub fn of(cards: impl IntoIterator<Item = Card>) -> Stack {
        Stack(cards.into_iter().take(ALL_CARDS).collect())
    }

    /// Bottom first.
    #[must_use]
    pub fn cards(&self) -> &[Card] {
        &self.0
    }

    /// The top card.
    #[must_use]
    pub fn top(&self) -> Option<Card> {
        self.0.last().copied()
    }

    /// The card under `above` others.
    #[must_use]
    pub fn under(&self, above: usize) -> Option<Card> {
        self.0.iter().rev().nth(above).copied()
    }

    /// The `count` top cards, bottom first; `None` if there are fewer.
    #[must_use]
    pub fn top_cards(&self, count: usize) -> Option<&[Card]> {
        self.0.get(self.0.len().checked_sub(count)?..)
    }

    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn push(&mut self, card: Card) {
        // No pile outgrows the 104 cards that exist: moves conserve them (T6).
        let _ = self.0.try_push(card);
    }

    pub(crate) fn pop(&mut self) -> Option<Card> {
        self.0.pop()
    }

    /// Takes the `count` top cards off.
    pub(crate) fn remove(&mut self, count: usize) {
        self.0.truncate(self.0.len().saturating_sub(count));
    }

    /// Takes the `count` bottom cards off, the lowest first.
    pub(crate) fn take_from_bottom(&mut self, count: usize) -> Stack {
        Stack(self.0.drain(..count.min(self.0.len())).collect())
    }

    /// Slides cards under the pile one by one: the first lies highest of them.
    pub(crate) fn slide_under(&mut self, cards: impl DoubleEndedIterator<Item = Card>) {
        let all: Vec<Card> = cards.rev().chain(self.0.iter().copied()).collect();
        *self = Stack::of(all);
    }

    pub(crate) fn take_all(&mut self) -> Stack {
        std::mem::take(self)
    }

    /// The pile with its bottom at the top.
    pub(crate) fn turned_over(mut self) -> Stack {
        self.0.reverse();
        self
    }
}

impl fmt::Debug for Stack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{} cards]", self.len())
    }
}
