//! Log records: what the store keeps of an accepted command. Bytes that begin with the format, here and nowhere else.

use prost::Message;

use crate::{
    audience::Audience,
    errors::Fault,
    fact::Fact,
    game,
    seal::Keys,
    sitting::Sitting,
    wire::{log, v1},
};

/// The format that is written: one byte, then a `majlis.log.v1.Record`.
const FORMAT: u8 = 1;

/// A payload for the record that follows `before`.
pub(crate) fn write(before: &Sitting, instant_ms: i64, facts: &[Fact]) -> Vec<u8> {
    let record = log::Record {
        instant_ms,
        events: facts
            .iter()
            .map(|fact| v1::Event { sequence: 0, time: None, kind: Some(fact.shown(before, Audience::Log)) })
            .collect(),
        founding: (before.record == 0).then(|| before.header.founding()),
        sealed: Vec::new(),
    };
    let mut payload = Vec::with_capacity(1 + record.encoded_len());
    payload.push(FORMAT);
    // Writing to a vector cannot fail: it grows.
    let _ = record.encode(&mut payload);
    payload
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

/// The facts of a record.
///
/// # Errors
/// [`Fault::Damaged`]: a fact that this version does not know.
pub(crate) fn facts(record: &log::Record, options: &game::Options) -> Result<Vec<Fact>, Fault> {
    record
        .events
        .iter()
        .map(|event| event.kind.as_ref().and_then(|kind| Fact::read(kind, options)))
        .collect::<Option<_>>()
        .ok_or_else(|| Fault::damaged("the record holds an event that cannot be read"))
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
        let facts = facts(&record, &sitting.header.options)?;
        sitting.advance(record.instant_ms, &facts)?;
        each(&sitting, facts)?;
    }
    Ok(sitting)
}
