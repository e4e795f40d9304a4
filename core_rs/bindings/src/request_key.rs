//! How the store knows a player's request again without telling who asked for what.
//!
//! A stored request stands beside its record in the clear. A plain hash of a doubling answer could be guessed from the
//! sixteen that there are, and its player's name alone would tell who holds the card (X5). So both are keyed with the
//! match's seed, which the store keeps sealed: without it a row tells nothing, and two rows of one player share nothing.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::{seal::Seed, submit::Submit};

const ID: &[u8] = b"majlis-request-id-v1\0";
const BODY: &[u8] = b"majlis-request-body-v1\0";
const STAKE: &[u8] = b"majlis-stake-id-v1\0";
const PAYMENT: &[u8] = b"majlis-stake-payment-v1\0";

/// The key under which a player's request is stored, and the hash of what it asks for; both 32 bytes.
pub(crate) fn of(seed: &Seed, player_id: &str, submit: &Submit) -> ([u8; 32], [u8; 32]) {
    let length = (player_id.len() as u64).to_be_bytes();
    let id = keyed(seed, &[ID, &length, player_id.as_bytes(), submit.request_id().as_bytes()]);
    let body = keyed(seed, &[BODY, &id, submit.body()]);
    (id, body)
}

/// The key under which a player's payment is stored, of which there is one a match, and the hash of its id.
pub(crate) fn of_stake(seed: &Seed, player_id: &str, payment_id: &str) -> ([u8; 32], [u8; 32]) {
    let id = keyed(seed, &[STAKE, player_id.as_bytes()]);
    let body = keyed(seed, &[PAYMENT, &id, payment_id.as_bytes()]);
    (id, body)
}

fn keyed(seed: &Seed, parts: &[&[u8]]) -> [u8; 32] {
    // HMAC pads a short key with zeros up to its block of 64 bytes, so padding it here changes nothing.
    let mut block = [0; 64];
    block[..seed.len()].copy_from_slice(seed);
    let mut mac = Hmac::<Sha256>::new(&block.into());
    for part in parts {
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}
