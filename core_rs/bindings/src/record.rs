//! Log records: what the store keeps of an accepted command. Bytes that begin with the format, here and nowhere else.

use prost::Message;

use crate::{
    audience::Audience,
    errors::Fault,
    fact::Fact,
    seal::Keys,
    sitting::Sitting,
    wire::{log, v1},
};

/// The format that is written: one byte, then a `majlis.log.v1.Record`.
const FORMAT: u8 = 1;

/// How long a secret is with its padding: all of a log are alike, so that the length of a sealed one tells nothing.
const SECRET_LEN: usize = 64;

/// A payload for the record that follows `before`.
///
/// # Errors
/// [`Fault::Failed`]: a secret could not be sealed.
pub(crate) fn write(before: &Sitting, instant_ms: i64, facts: &[Fact], keys: &Keys) -> Result<Vec<u8>, Fault> {
    let sealed = match facts.iter().find_map(Fact::secret) {
        None => Vec::new(),
        Some(secret) => keys.seal(&padded(secret), &place_of_secret(before, before.record + 1))?,
    };
    let record = log::Record {
        instant_ms,
        events: facts
            .iter()
            .filter_map(|fact| fact.shown(before, Audience::Log))
            .map(|kind| v1::Event { sequence: 0, time: None, kind: Some(kind) })
            .collect(),
        founding: (before.record == 0).then(|| before.header.founding()),
        sealed,
    };
    let mut payload = Vec::with_capacity(1 + record.encoded_len());
    payload.push(FORMAT);
    // Writing to a vector cannot fail: it grows.
    let _ = record.encode(&mut payload);
    Ok(payload)
}

/// A secret's bytes, filled up to [`SECRET_LEN`].
fn padded(secret: log::secret::Kind) -> Vec<u8> {
    let mut secret = log::Secret { kind: Some(secret), padding: Vec::new() };
    // The padding's own tag and length take a byte each.
    secret.padding = vec![0; SECRET_LEN.saturating_sub(secret.encoded_len() + 2)];
    secret.encode_to_vec()
}

/// What a secret is bound to: it opens in this record of this match, and nowhere else.
fn place_of_secret(before: &Sitting, record: u32) -> String {
    format!("{}/{record}", before.header.match_id)
}

/// A payload as a message.
///
/// # Errors
/// [`Fault::Damaged`]: another format, or bytes that are no record.
pub(crate) fn read(payload: &[u8]) -> Result<log::Record, Fault> {
    let Some((&FORMAT, body)) = payload.split_first() else {
        return Err(Fault::damaged("the record has a format that this version does not know"));
    };
    log::Record::decode(body).map_err(|_| Fault::damaged("the record's bytes are no record"))
}

/// The facts of the record that follows `before`: what is told to nobody first, as it happened.
///
/// # Errors
/// [`Fault::Damaged`]: a fact that this version does not know, or a secret that cannot be opened.
pub(crate) fn facts(before: &Sitting, record: &log::Record, keys: &Keys) -> Result<Vec<Fact>, Fault> {
    let options = &before.header.options;
    let unreadable = || Fault::damaged("the record holds an event that cannot be read");
    let mut facts = Vec::with_capacity(record.events.len() + 1);
    if !record.sealed.is_empty() {
        let bytes = keys.open(&record.sealed, &place_of_secret(before, before.record + 1))?;
        let secret = log::Secret::decode(bytes.as_slice()).map_err(|_| unreadable())?;
        let event = secret.kind.and_then(|kind| options.read_secret(&kind)).ok_or_else(unreadable)?;
        facts.push(Fact::Game(event));
    }
    for event in &record.events {
        let fact = event.kind.as_ref().and_then(|kind| Fact::read(kind, options));
        facts.push(fact.ok_or_else(unreadable)?);
    }
    Ok(facts)
}

/// A log folded record by record; `each` sees the sitting after every record, and the record's facts.
///
/// # Errors
/// [`Fault::Damaged`] at the first record that cannot be read or does not follow, or whatever `each` answers.
pub(crate) fn fold<P: AsRef<[u8]>>(
    payloads: &[P],
    keys: &Keys,
    mut each: impl FnMut(&Sitting, Vec<Fact>) -> Result<(), Fault>,
) -> Result<Sitting, Fault> {
    let first = payloads.first().ok_or_else(|| Fault::damaged("the log is empty"))?;
    let (header, deals) = crate::header::Header::read(&read(first.as_ref())?, keys)?;
    let mut sitting = Sitting::new(header, deals)?;
    for payload in payloads {
        let record = read(payload.as_ref())?;
        let facts = facts(&sitting, &record, keys)?;
        sitting.advance(record.instant_ms, &facts)?;
        each(&sitting, facts)?;
    }
    Ok(sitting)
}
