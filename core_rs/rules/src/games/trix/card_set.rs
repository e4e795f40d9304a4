//! Sets of cards of one pack, one bit each: 16 bits a suit in the order C D H S, in each suit 2 … A from the lowest
//! bit on. That is how cards rank here (X1), so the lowest and the highest of a suit are its outermost bits.

use std::fmt;

use crate::card::{Card, Rank, Suit};

/// The thirteen bits of a suit that are cards.
const SUIT_BITS: u64 = 0x1fff;
/// Where a rank stands in each of the four suits.
const EVERY_SUIT: u64 = 0x0001_0001_0001_0001;

/// A set of cards of pack 0.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct CardSet(u64);

/// How high a rank stands from 2 (0) to the ace (12): X1.
pub(super) const fn height(rank: Rank) -> u8 {
    if rank.number() == Rank::ACE.number() { 12 } else { rank.number() - 2 }
}

/// The rank that stands so high.
pub(super) fn rank_at(height: u8) -> Rank {
    Rank::new(height + 2).unwrap_or(Rank::ACE)
}

impl CardSet {
    /// No card.
    pub const EMPTY: CardSet = CardSet(0);
    /// All 52.
    pub const FULL: CardSet = CardSet(SUIT_BITS * EVERY_SUIT);
    /// The four queens.
    pub const QUEENS: CardSet = CardSet::of_height(10);
    /// The four jacks.
    pub const JACKS: CardSet = CardSet::of_height(9);

    const fn of_height(height: u8) -> CardSet {
        CardSet(EVERY_SUIT << height)
    }

    /// The thirteen cards of a suit.
    #[must_use]
    pub const fn of_suit(suit: Suit) -> CardSet {
        CardSet(SUIT_BITS << (16 * suit.index()))
    }

    /// That card alone; nothing for one of pack 1.
    #[must_use]
    pub const fn of_card(card: Card) -> CardSet {
        let bit = (card.pack() ^ 1) as u64;
        CardSet(bit << (16 * card.suit().index() + height(card.rank())))
    }

    /// Puts a card in; one of pack 1 is none of its cards.
    pub const fn insert(&mut self, card: Card) {
        self.0 |= CardSet::of_card(card).0;
    }

    /// Takes a card out, if it is in.
    pub const fn remove(&mut self, card: Card) {
        self.0 &= !CardSet::of_card(card).0;
    }

    /// Whether the card is in.
    #[must_use]
    pub const fn contains(self, card: Card) -> bool {
        self.0 & CardSet::of_card(card).0 != 0
    }

    /// How many cards.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The cards in either.
    #[must_use]
    pub const fn union(self, other: CardSet) -> CardSet {
        CardSet(self.0 | other.0)
    }

    /// The cards in both.
    #[must_use]
    pub const fn intersection(self, other: CardSet) -> CardSet {
        CardSet(self.0 & other.0)
    }

    /// The cards that are not in `other`.
    #[must_use]
    pub const fn difference(self, other: CardSet) -> CardSet {
        CardSet(self.0 & !other.0)
    }

    /// Whether all of them are in `other`.
    #[must_use]
    pub const fn is_subset(self, other: CardSet) -> bool {
        self.difference(other).is_empty()
    }

    /// The cards one higher and one lower in the same suit, those of the set itself included where they touch.
    pub(super) const fn neighbours(self) -> CardSet {
        // The three idle bits above each suit's ace keep suits apart.
        CardSet((self.0 << 1 | self.0 >> 1) & CardSet::FULL.0)
    }

    /// Every set made of these cards, the empty one and the whole one included.
    pub(super) fn subsets(self) -> impl Iterator<Item = CardSet> {
        let mut next = Some(0);
        std::iter::from_fn(move || {
            let found = next?;
            next = if found == self.0 { None } else { Some(found.wrapping_sub(self.0) & self.0) };
            Some(CardSet(found))
        })
    }

    /// The lowest and the highest card of a suit, if it has any.
    pub(super) fn ends(self, suit: Suit) -> Option<(Rank, Rank)> {
        let bits = self.0 >> (16 * suit.index()) & SUIT_BITS;
        (bits != 0).then(|| (rank_at(bits.trailing_zeros() as u8), rank_at(63 - bits.leading_zeros() as u8)))
    }

    /// Its cards by suit C D H S, in each from 2 to the ace.
    #[must_use]
    pub const fn iter(self) -> Cards {
        Cards(self.0)
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> CardSet {
        let mut set = CardSet::EMPTY;
        cards.into_iter().for_each(|card| set.insert(card));
        set
    }
}

impl IntoIterator for CardSet {
    type Item = Card;
    type IntoIter = Cards;

    fn into_iter(self) -> Cards {
        self.iter()
    }
}

impl fmt::Debug for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The cards of a set, by suit C D H S, in each from 2 to the ace.
#[derive(Clone, Debug)]
pub struct Cards(u64);

impl Iterator for Cards {
    type Item = Card;

    fn next(&mut self) -> Option<Card> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        let suit = match bit >> 4 {
            0 => Suit::Clubs,
            1 => Suit::Diamonds,
            2 => Suit::Hearts,
            _ => Suit::Spades,
        };
        Some(Card::new(suit, rank_at(bit & 15), 0))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Cards {}
