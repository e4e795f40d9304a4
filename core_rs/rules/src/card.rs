//! Cards in one byte each: suit, rank (the ace low) and the pack a card came from. How cards rank or fit is a
//! matter of each game, not of this file.

use std::fmt;
use std::num::NonZeroU8;
use std::str::FromStr;

/// One of the four suits, in the order in which decks and lists name them: C D H S.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Suit {
    /// ♣
    Clubs,
    /// ♦
    Diamonds,
    /// ♥
    Hearts,
    /// ♠
    Spades,
}

impl Suit {
    /// All four, in deck order.
    pub const ALL: [Suit; 4] = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades];

    /// 0 to 3, in deck order.
    #[must_use]
    pub const fn index(self) -> u8 {
        self as u8
    }

    /// Its letter in positions.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Suit::Clubs => 'C',
            Suit::Diamonds => 'D',
            Suit::Hearts => 'H',
            Suit::Spades => 'S',
        }
    }

    /// The suit of that letter.
    #[must_use]
    pub fn of_letter(letter: char) -> Option<Suit> {
        Suit::ALL.into_iter().find(|suit| suit.letter() == letter)
    }

    /// ♥ and ♦ are red.
    #[must_use]
    pub const fn is_red(self) -> bool {
        matches!(self, Suit::Diamonds | Suit::Hearts)
    }
}

/// The letters of the ranks, ace to king.
const RANKS: &str = "A23456789TJQK";

/// A face value, 1 (ace) to 13 (king).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(u8);

impl Rank {
    /// The ace.
    pub const ACE: Rank = Rank(1);
    /// The seven.
    pub const SEVEN: Rank = Rank(7);
    /// The jack.
    pub const JACK: Rank = Rank(11);
    /// The king.
    pub const KING: Rank = Rank(13);

    /// The rank of that number, 1 to 13.
    #[must_use]
    pub const fn new(number: u8) -> Option<Rank> {
        if number >= 1 && number <= 13 { Some(Rank(number)) } else { None }
    }

    /// 1 (ace) to 13 (king).
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Its letter in positions.
    #[must_use]
    pub fn letter(self) -> char {
        RANKS.chars().nth(usize::from(self.0) - 1).unwrap_or('?')
    }

    /// The rank of that letter.
    #[must_use]
    pub fn of_letter(letter: char) -> Option<Rank> {
        RANKS.chars().zip(Rank::all()).find(|&(known, _)| known == letter).map(|(_, rank)| rank)
    }

    /// Ace to king.
    pub fn all() -> impl Iterator<Item = Rank> {
        (1..=13).map(Rank)
    }
}

/// One physical card: `pack << 6 | suit << 4 | rank`, never zero, so that an optional card is one byte too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(NonZeroU8);

impl Card {
    /// The card of that suit and rank from `pack` (0 or 1; other bits are ignored).
    #[must_use]
    pub const fn new(suit: Suit, rank: Rank, pack: u8) -> Card {
        match NonZeroU8::new((pack & 1) << 6 | suit.index() << 4 | rank.0) {
            Some(byte) => Card(byte),
            // A rank is never 0, so neither is the byte.
            None => Card(NonZeroU8::MIN),
        }
    }

    /// Its byte, as [`Card::from_byte`] takes it.
    #[must_use]
    pub const fn byte(self) -> u8 {
        self.0.get()
    }

    /// The card of that byte, if it is one.
    #[must_use]
    pub const fn from_byte(byte: u8) -> Option<Card> {
        let rank = byte & 15;
        if byte < 128 && rank >= 1 && rank <= 13 {
            match NonZeroU8::new(byte) {
                Some(byte) => Some(Card(byte)),
                None => None,
            }
        } else {
            None
        }
    }

    /// Its suit.
    #[must_use]
    pub const fn suit(self) -> Suit {
        match self.0.get() >> 4 & 3 {
            0 => Suit::Clubs,
            1 => Suit::Diamonds,
            2 => Suit::Hearts,
            _ => Suit::Spades,
        }
    }

    /// Its rank.
    #[must_use]
    pub const fn rank(self) -> Rank {
        Rank(self.0.get() & 15)
    }

    /// The pack it came from, 0 or 1.
    #[must_use]
    pub const fn pack(self) -> u8 {
        self.0.get() >> 6
    }

    /// Suit and rank without the pack: equal for twins.
    #[must_use]
    pub const fn face(self) -> u8 {
        self.0.get() & 63
    }
}

/// A card's rank and suit as text, without its pack: `7H`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Face(pub Card);

impl fmt::Display for Face {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.0.rank().letter(), self.0.suit().letter())
    }
}

/// Rank, suit, pack: `7H0`.
impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", Face(*self), self.pack())
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that names no card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotACard;

impl FromStr for Face {
    type Err = NotACard;

    fn from_str(text: &str) -> Result<Face, NotACard> {
        let mut letters = text.chars();
        let (Some(rank), Some(suit), None) = (letters.next(), letters.next(), letters.next()) else {
            return Err(NotACard);
        };
        let rank = Rank::of_letter(rank).ok_or(NotACard)?;
        let suit = Suit::of_letter(suit).ok_or(NotACard)?;
        Ok(Face(Card::new(suit, rank, 0)))
    }
}

impl FromStr for Card {
    type Err = NotACard;

    fn from_str(text: &str) -> Result<Card, NotACard> {
        let (face, pack) = match (text.strip_suffix('0'), text.strip_suffix('1')) {
            (Some(face), _) => (face, 0),
            (_, Some(face)) => (face, 1),
            _ => return Err(NotACard),
        };
        let Face(card) = face.parse()?;
        Ok(Card::new(card.suit(), card.rank(), pack))
    }
}
