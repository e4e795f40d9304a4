//! Sets of faces (suit and rank, packs aside), one bit each: whether a card is in one is one shift.

use crate::card::Card;

/// A set of faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Faces(u64);

impl Faces {
    /// No face.
    pub(crate) const NONE: Faces = Faces(0);
    /// The four aces.
    pub(crate) const ACES: Faces = Faces(1 << 1 | 1 << 17 | 1 << 33 | 1 << 49);

    /// The one that [`Card::face`] numbers so.
    pub(crate) const fn of(face: u8) -> Faces {
        Faces(1 << (face & 63))
    }

    /// Those of the same suit one rank up and one rank down (T11). Above a king and below an ace lies a number that no
    /// card has.
    pub(crate) const fn beside(card: Card) -> Faces {
        Faces(0b101 << (card.face() - 1))
    }

    pub(crate) const fn or(self, other: Faces) -> Faces {
        Faces(self.0 | other.0)
    }

    /// Whether the card's face is one of them.
    pub(crate) const fn have(self, card: Card) -> bool {
        self.0 >> card.face() & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::{Rank, Suit};

    fn every_face() -> Vec<Card> {
        Suit::ALL.into_iter().flat_map(|suit| Rank::all().map(move |rank| Card::new(suit, rank, 1))).collect()
    }

    #[test]
    fn beside_a_card_are_its_neighbours_in_suit_and_no_others() {
        for top in every_face() {
            for card in every_face() {
                let neighbours = card.suit() == top.suit() && card.rank().number().abs_diff(top.rank().number()) == 1;
                assert_eq!(Faces::beside(top).have(card), neighbours, "{card} {top}");
            }
        }
    }

    #[test]
    fn aces_are_aces() {
        for card in every_face() {
            assert_eq!(Faces::ACES.have(card), card.rank() == Rank::ACE);
            assert!(Faces::of(card.face()).have(card) && !Faces::NONE.have(card));
        }
    }
}
