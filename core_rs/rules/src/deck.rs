//! Where every deal comes from: a match's seed, the players' entropies, and the decks, draws and commitment that
//! follow from them. How a deck is laid out on the table is each game's own matter.

use std::fmt;

use chacha20::ChaCha20;
use chacha20::cipher::{KeyIvInit, StreamCipher};
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use crate::card::{Card, Rank, Suit};

const DEAL_DOMAIN: &[u8] = b"majlis-deal-v1\0";
const COMMIT_DOMAIN: &[u8] = b"majlis-commit-v1\0";

/// The pack byte under which a tied starter is drawn (T5).
const DRAW_PACK: u8 = 255;

/// The longest entropy whose length fits the one byte it has.
pub const MAX_ENTROPY: usize = 255;

/// What a match's deals derive from. Its Debug shows neither seed nor entropies.
#[derive(Clone)]
pub struct DealSource {
    seed: [u8; 32],
    entropies: Vec<Vec<u8>>,
    /// Keyed with the seed, so that a deal need not do it again.
    mac: Hmac<Sha256>,
}

impl PartialEq for DealSource {
    fn eq(&self, other: &DealSource) -> bool {
        self.seed == other.seed && self.entropies == other.entropies
    }
}

impl Eq for DealSource {}

/// An entropy longer than [`MAX_ENTROPY`] bytes, and whose it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntropyTooLong {
    /// The seat's number.
    pub seat: usize,
    /// Its length in bytes.
    pub length: usize,
}

impl DealSource {
    /// A source of deals; `entropies` by seat, a missing one counts as empty (T42).
    ///
    /// # Errors
    /// [`EntropyTooLong`] for the first entropy above [`MAX_ENTROPY`] bytes.
    pub fn new(seed: [u8; 32], entropies: Vec<Vec<u8>>) -> Result<DealSource, EntropyTooLong> {
        match entropies.iter().position(|entropy| entropy.len() > MAX_ENTROPY) {
            Some(seat) => Err(EntropyTooLong { seat, length: entropies.get(seat).map_or(0, Vec::len) }),
            None => Ok(DealSource { seed, entropies, mac: keyed(&seed) }),
        }
    }

    /// The match's seed, secret until the match has ended.
    #[must_use]
    pub const fn seed(&self) -> &[u8; 32] {
        &self.seed
    }

    /// What the players added, by seat.
    #[must_use]
    pub fn entropies(&self) -> &[Vec<u8>] {
        &self.entropies
    }

    /// SHA-256 over the seed: published before any entropy is taken.
    #[must_use]
    pub fn commitment(&self) -> [u8; 32] {
        commitment(&self.seed)
    }

    /// The shuffled deck of deal `number` (from 1), `pack` 0 or 1, at a table of `seats`.
    #[must_use]
    pub fn deck(&self, number: u32, pack: u8, seats: usize) -> [Card; 52] {
        let mut deck = fresh_pack(pack);
        let mut words = self.words(number, pack, seats);
        for last in (1..deck.len()).rev() {
            let sides = last as u32 + 1;
            deck.swap(last, words.below(sides) as usize);
        }
        deck
    }

    /// A fair draw among two seats, for deal `number`.
    #[must_use]
    pub fn draw_of_two(&self, number: u32, seats: usize) -> bool {
        self.words(number, DRAW_PACK, seats).next_word() & 1 == 1
    }

    fn words(&self, number: u32, pack: u8, seats: usize) -> Words {
        let mut mac = self.mac.clone();
        mac.update(DEAL_DOMAIN);
        mac.update(&number.to_be_bytes());
        mac.update(&[pack]);
        for seat in 0..seats {
            let entropy = self.entropies.get(seat).map_or(&[][..], Vec::as_slice);
            mac.update(&[entropy.len() as u8]);
            mac.update(entropy);
        }
        Words::from_key(&mac.finalize().into_bytes().into())
    }
}

impl fmt::Debug for DealSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DealSource { .. }")
    }
}

/// SHA-256("majlis-commit-v1" 0x00 seed).
#[must_use]
pub fn commitment(seed: &[u8; 32]) -> [u8; 32] {
    Sha256::new().chain_update(COMMIT_DOMAIN).chain_update(seed).finalize().into()
}

/// One pack by suit C D H S, in each suit ace to king.
fn fresh_pack(pack: u8) -> [Card; 52] {
    std::array::from_fn(|at| {
        let suit = Suit::ALL.get(at / 13).copied().unwrap_or(Suit::Clubs);
        Card::new(suit, Rank::new(at as u8 % 13 + 1).unwrap_or(Rank::ACE), pack)
    })
}

/// HMAC pads a short key with zeros up to its block of 64 bytes, so padding it here changes nothing.
fn keyed(seed: &[u8; 32]) -> Hmac<Sha256> {
    let mut block = [0; 64];
    for (place, &byte) in block.iter_mut().zip(seed) {
        *place = byte;
    }
    Hmac::<Sha256>::new(&block.into())
}

/// A ChaCha20 keystream (RFC 8439, zero nonce) read as little-endian words.
struct Words {
    cipher: ChaCha20,
    /// As much as a deck takes, if no more than a few words are skipped.
    stretch: [u8; 256],
    used: usize,
}

impl Words {
    fn from_key(key: &[u8; 32]) -> Words {
        Words { cipher: ChaCha20::new(&(*key).into(), &[0; 12].into()), stretch: [0; 256], used: 256 }
    }

    fn next_word(&mut self) -> u32 {
        if self.used == self.stretch.len() {
            self.stretch = [0; 256];
            self.cipher.apply_keystream(&mut self.stretch);
            self.used = 0;
        }
        let rest = self.stretch.get(self.used..).and_then(|rest| rest.first_chunk::<4>());
        self.used += 4;
        rest.map_or(0, |bytes| u32::from_le_bytes(*bytes))
    }

    /// A fair number below `sides`.
    fn below(&mut self, sides: u32) -> u32 {
        loop {
            let word = self.next_word();
            if is_fair(word, sides) {
                return word % sides;
            }
        }
    }
}

/// Whether a word is below the largest multiple of `sides` not above 2^32: the others would favour some.
const fn is_fair(word: u32, sides: u32) -> bool {
    let but_one = 0u32.wrapping_sub(sides);
    // That multiple is at most `sides - 1` below 2^32, so nearly every word passes without a division.
    word < but_one || word <= u32::MAX - but_one % sides
}

#[cfg(test)]
#[path = "deck_test.rs"]
mod deck_test;
