//! Draws deal seeds, and seals secrets for the store: AES-256-GCM with the operator's key when one is set, plain without.
//!
//! A sealed secret is one format byte, then for format 0 the secret, and for format 1 the key's id (a length byte before
//! it), a nonce of 12 bytes, and the ciphertext with its tag. Its place is bound in as associated data (for a seed the
//! match id, for a hidden answer match id and record), so that what is moved elsewhere does not open.

use std::collections::BTreeMap;

use aes_gcm::{
    Aes256Gcm, Key, KeyInit, Nonce,
    aead::{Aead, Payload},
};

use crate::errors::Fault;

/// A deal seed: 32 bytes that decide every deck of a match.
pub(crate) type Seed = [u8; 32];

const PLAIN: u8 = 0;
const AES_256_GCM: u8 = 1;
const NONCE_LEN: usize = 12;

/// Keys by id, and the one that seals. Its Debug shows no key.
pub(crate) struct Keys {
    ciphers: BTreeMap<String, Aes256Gcm>,
    current: Option<String>,
}

/// Why a sealed secret stays closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Unopened {
    /// It was sealed with a key that is not here; the key's id.
    KeyMissing(String),
    /// It is cut short, of an unknown format, or from elsewhere.
    Damaged,
}

impl From<Unopened> for Fault {
    fn from(unopened: Unopened) -> Self {
        match unopened {
            Unopened::KeyMissing(id) => Self::damaged(format!("the key {id:?} that sealed it is not here")),
            Unopened::Damaged => Self::damaged("what was sealed cannot be opened"),
        }
    }
}

impl Keys {
    /// Keys of 32 bytes by an id of 1–16 bytes; `current` seals.
    ///
    /// # Errors
    /// A sentence that names the fault and no key.
    pub(crate) fn new(keys: BTreeMap<String, Vec<u8>>, current: Option<String>) -> Result<Self, String> {
        let mut ciphers = BTreeMap::new();
        for (id, key) in keys {
            if id.is_empty() || id.len() > 16 {
                return Err(format!("a key's id has 1 to 16 bytes, not {}", id.len()));
            }
            let key: [u8; 32] = key.try_into().map_err(|_| format!("key {id:?} does not have 32 bytes"))?;
            ciphers.insert(id, Aes256Gcm::new(&Key::<Aes256Gcm>::from(key)));
        }
        if let Some(id) = &current
            && !ciphers.contains_key(id)
        {
            return Err(format!("no key has the id {id:?}"));
        }
        Ok(Self { ciphers, current })
    }

    /// Closes a secret for the store; it opens in the place that it is bound to, and nowhere else.
    ///
    /// # Errors
    /// The operating system gave no randomness, or the cipher refused.
    pub(crate) fn seal(&self, secret: &[u8], bound_to: &str) -> Result<Vec<u8>, Unsealed> {
        let Some((id, cipher)) = self.current.as_ref().and_then(|id| Some((id, self.ciphers.get(id)?))) else {
            return Ok([&[PLAIN], secret].concat());
        };
        let mut nonce = [0; NONCE_LEN];
        getrandom::fill(&mut nonce).map_err(|_| Unsealed)?;
        let payload = Payload { msg: secret, aad: bound_to.as_bytes() };
        let closed = cipher.encrypt(&Nonce::from(nonce), payload).map_err(|_| Unsealed)?;
        Ok([&[AES_256_GCM, id.len() as u8], id.as_bytes(), &nonce, &closed].concat())
    }

    /// Opens a secret from the store.
    ///
    /// # Errors
    /// See [`Unopened`].
    pub(crate) fn open(&self, sealed: &[u8], bound_to: &str) -> Result<Vec<u8>, Unopened> {
        match sealed.split_first() {
            Some((&PLAIN, secret)) => Ok(secret.to_vec()),
            Some((&AES_256_GCM, rest)) => self.open_with_key(rest, bound_to),
            _ => Err(Unopened::Damaged),
        }
    }

    fn open_with_key(&self, rest: &[u8], bound_to: &str) -> Result<Vec<u8>, Unopened> {
        let (&id_len, rest) = rest.split_first().ok_or(Unopened::Damaged)?;
        let (id, rest) = rest.split_at_checked(id_len as usize).ok_or(Unopened::Damaged)?;
        let (nonce, closed) = rest.split_first_chunk::<NONCE_LEN>().ok_or(Unopened::Damaged)?;
        let id = str::from_utf8(id).map_err(|_| Unopened::Damaged)?;
        let cipher = self.ciphers.get(id).ok_or_else(|| Unopened::KeyMissing(id.to_owned()))?;
        let payload = Payload { msg: closed, aad: bound_to.as_bytes() };
        cipher.decrypt(&Nonce::from(*nonce), payload).map_err(|_| Unopened::Damaged)
    }
}

/// A secret could not be drawn or sealed.
#[derive(Debug)]
pub(crate) struct Unsealed;

impl From<Unsealed> for Fault {
    fn from(_: Unsealed) -> Self {
        Self::Failed("the operating system gave no randomness")
    }
}

/// A fresh seed from the operating system.
///
/// # Errors
/// It had no randomness to give.
pub(crate) fn draw() -> Result<Seed, Unsealed> {
    let mut seed = [0; 32];
    getrandom::fill(&mut seed).map_err(|_| Unsealed)?;
    Ok(seed)
}
