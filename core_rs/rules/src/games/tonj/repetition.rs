//! Which positions stood at the starts of turns since a card last reached a foundation (T27): 128-bit fingerprints of
//! every pile in order, hidden ones included, physical card by physical card, and of the side to move (T40).

use crate::crapette::slot::Slot;
use crate::crapette::table::Table;
use crate::seat::Seat;

/// Fingerprints in order, the first occurrence included.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Visits(Vec<u128>);

impl Visits {
    /// Forgets all of them: a card has reached a foundation, or another hand was dealt.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Notes the position at the start of `seat`'s turn.
    pub(super) fn note(&mut self, table: &Table, seat: Seat) {
        self.0.push(fingerprint(table, seat));
    }

    /// How often the last noted position has stood.
    pub(super) fn times_last(&self) -> usize {
        let Some(last) = self.0.last() else { return 0 };
        self.0.iter().filter(|&one| one == last).count()
    }

    /// All of them, for digests.
    pub(super) fn all(&self) -> &[u128] {
        &self.0
    }
}

/// Every pile in order with its length, then the side to move, as bytes. A waste that the seat on turn is about to
/// turn over counts as turned over already (T40).
fn fingerprint(table: &Table, seat: Seat) -> u128 {
    let mut bytes = Bytes { all: [0; 128], used: 0 };
    for side in [Seat::ZERO, Seat::ONE] {
        bytes.pile(table.reserves[side].cards().iter().map(|card| card.byte()));
        let (hand, waste) = (table.hands[side].cards(), table.wastes[side].cards());
        if side == seat && hand.is_empty() {
            bytes.pile(waste.iter().rev().map(|card| card.byte()));
            bytes.pile([].into_iter());
        } else {
            bytes.pile(hand.iter().map(|card| card.byte()));
            bytes.pile(waste.iter().map(|card| card.byte()));
        }
    }
    for slot in Slot::ALL {
        bytes.pile(table.houses[slot].cards().iter().map(|card| card.byte()));
    }
    // No card reaches a foundation between two positions that are compared, so foundations need not be looked at.
    bytes.push(seat.number());
    mix(&bytes.all)
}

/// 104 cards, fourteen pile ends and the side to move fit in 128 bytes.
struct Bytes {
    all: [u8; 128],
    used: usize,
}

impl Bytes {
    fn push(&mut self, byte: u8) {
        if let Some(place) = self.all.get_mut(self.used) {
            *place = byte;
        }
        self.used += 1;
    }

    /// The cards and then a byte that is no card.
    fn pile(&mut self, cards: impl Iterator<Item = u8>) {
        cards.for_each(|card| self.push(card));
        self.push(0);
    }
}

/// Two lanes of folded multiplication over the sixteen words.
fn mix(bytes: &[u8; 128]) -> u128 {
    const KEYS: [u64; 4] = [0x9e37_79b9_7f4a_7c15, 0xd1b5_4a32_d192_ed03, 0x8cb9_2ba7_2f3d_8dd7, 0xda94_2042_e4dd_58b5];
    let [a, b, c, d] = KEYS;
    let (mut low, mut high) = (a, b);
    for pair in bytes.chunks_exact(16) {
        let (x, y) = pair.split_at(8);
        let word = |half: &[u8]| half.first_chunk::<8>().map_or(0, |eight| u64::from_le_bytes(*eight));
        let (x, y) = (word(x), word(y));
        low = folded(low ^ x, y ^ c);
        high = folded(high ^ y, x ^ d).rotate_left(23) ^ low;
    }
    u128::from(folded(low ^ b, high ^ d)) << 64 | u128::from(folded(high ^ a, low ^ c))
}

const fn folded(x: u64, y: u64) -> u64 {
    let product = (x as u128) * (y as u128);
    (product as u64) ^ ((product >> 64) as u64)
}
