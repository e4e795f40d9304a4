//! A digest of a whole state, hidden cards and counters included: for tests and audits, never for players.

use sha2::{Digest, Sha256};

use crate::position::Positioned;

/// SHA-256 over the state's canonical text.
#[must_use]
pub fn digest<R: Positioned>(state: &R::State) -> [u8; 32] {
    Sha256::digest(R::canonical_text(state).as_bytes()).into()
}
