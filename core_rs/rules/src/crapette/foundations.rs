//! The eight foundations: what each holds and which card it takes next (T9). They are never a source (T8), so a
//! foundation is its suit, its height, and the pack each of its cards came from.

use super::faces::Faces;
use super::slot::{Slot, Slots};
use crate::card::{Card, Rank, Suit};

/// What an empty foundation waits for: any ace.
const ANY_ACE: u8 = 0;
/// A foundation that has its king waits for nothing.
const NOTHING: u8 = u8::MAX;

/// All eight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Foundations {
    /// The faces that any of them takes next.
    taken: Faces,
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

impl Default for Foundations {
    fn default() -> Foundations {
        Foundations { taken: Faces::ACES, wanted: [ANY_ACE; 8], built: [None; 8] }
    }
}

impl Foundations {
    /// Whether `card` may be put on any of them (T9).
    #[must_use]
    pub const fn take(&self, card: Card) -> bool {
        self.taken.have(card)
    }

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
    pub(crate) fn push(&mut self, slot: Slot, card: Card) {
        let at = usize::from(slot.number());
        let (Some(wanted), Some(built)) = (self.wanted.get_mut(at), self.built.get_mut(at)) else { return };
        let packs = built.map_or(0, |built| built.packs) | u16::from(card.pack()) << card.rank().number();
        *built = Some(Built { suit: card.suit(), height: card.rank(), packs });
        *wanted = match Rank::new(card.rank().number() + 1) {
            Some(next) => Card::new(card.suit(), next, 0).face(),
            None => NOTHING,
        };
        self.look_up();
    }

    /// Takes a completed foundation away: its slot waits for an ace again (H4).
    pub(crate) fn retire(&mut self, slot: Slot) {
        let at = usize::from(slot.number());
        let (Some(wanted), Some(built)) = (self.wanted.get_mut(at), self.built.get_mut(at)) else { return };
        *built = None;
        *wanted = ANY_ACE;
        self.look_up();
    }

    fn look_up(&mut self) {
        self.taken = self.wanted.iter().fold(Faces::NONE, |taken, &wanted| match wanted {
            ANY_ACE => taken.or(Faces::ACES),
            NOTHING => taken,
            face => taken.or(Faces::of(face)),
        });
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

/// The slots at which `row` has `byte`, all eight looked at in one word.
pub(crate) const fn equal_bytes(row: &[u8; 8], byte: u8) -> Slots {
    const LOW: u64 = 0x0101_0101_0101_0101;
    const ALL_BUT_HIGH: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let difference = u64::from_le_bytes(*row) ^ (byte as u64 * LOW);
    // The high bit of each byte that is zero, and no other.
    let zero = !(((difference & ALL_BUT_HIGH) + ALL_BUT_HIGH) | difference | ALL_BUT_HIGH);
    // Multiplied so, the eight bits come to lie side by side in the highest byte.
    Slots(((zero >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_bytes_finds_each_slot_and_no_other() {
        for row in [[0, 1, 0x7f, 0x80, 0x81, 0xff, 0, 1], [0x80; 8], [0xff, 0xfe, 0xff, 0, 1, 0, 0x80, 0x7f]] {
            for byte in 0..=u8::MAX {
                let slots = equal_bytes(&row, byte);
                for (at, slot) in Slot::ALL.into_iter().enumerate() {
                    assert_eq!(slots.has(slot), row[at] == byte, "{row:?} {byte} {slot:?}");
                }
            }
        }
    }
}
