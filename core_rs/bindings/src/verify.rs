//! Checks a replay: the seed against its commitment, every deal and every event against what the rules make of them.

use majlis_rules::deck::DealSource;
use prost::Message;
use pyo3::prelude::*;

use crate::{
    audience::Audience,
    errors::{Fault, guarded},
    fact::Fact,
    game::Options,
    header::Header,
    sitting::Sitting,
    wire::{instant_ms, v1},
};

/// Recomputes a replay; answers the first difference, or nothing.
#[pyfunction]
pub(crate) fn verify(py: Python<'_>, replay: Vec<Vec<u8>>) -> PyResult<String> {
    py.detach(|| guarded(|| Ok(first_difference(&read(&replay)?).err().unwrap_or_default())))
}

/// The pages as one replay.
fn read(pages: &[Vec<u8>]) -> Result<v1::GetReplayResponse, Fault> {
    let mut whole: Option<v1::GetReplayResponse> = None;
    for (number, page) in pages.iter().enumerate() {
        let page = v1::GetReplayResponse::decode(page.as_slice())
            .map_err(|_| Fault::field(&format!("[{number}]"), "the bytes are no GetReplayResponse"))?;
        match &mut whole {
            None => whole = Some(page),
            Some(whole) => {
                let told = |page: &v1::GetReplayResponse| {
                    (page.deal_seed.clone(), page.entropies.clone(), page.r#match.clone())
                };
                if told(whole) != told(&page) {
                    return Err(Fault::field(
                        &format!("[{number}]"),
                        "its seed, entropies or match are not the first page's",
                    ));
                }
                whole.events.extend(page.events);
            }
        }
    }
    whole.ok_or_else(|| Fault::field("", "there is no page"))
}

fn first_difference(replay: &v1::GetReplayResponse) -> Result<(), String> {
    let told = replay.r#match.as_ref().ok_or("the match is missing")?;
    let seed = replay.deal_seed.as_slice().try_into().map_err(|_| "the deal seed does not have 32 bytes")?;
    let deals = DealSource::new(seed, replay.entropies.clone()).map_err(|_| "an entropy is too long")?;
    if told.deal_commitment != deals.commitment() {
        return Err("the deal seed is not the one that was committed to".to_owned());
    }
    let mut sitting = sitting(told, deals)?;
    let mut rest = replay.events.as_slice();
    while let Some(first) = rest.first() {
        // Events of one action share their instant; each is checked on its own, so where actions part does not matter.
        check(&mut sitting, first)?;
        rest = &rest[1..];
    }
    let ended = |told: &v1::Match| (told.sequence, told.status, told.outcome.clone());
    if ended(told) != (sitting.sequence, sitting.status as i32, sitting.outcome.as_deref().cloned()) {
        return Err("the match does not end as its events say".to_owned());
    }
    Ok(())
}

fn sitting(told: &v1::Match, deals: DealSource) -> Result<Sitting, String> {
    let options = Options::read(told.game, told.options.as_ref()).map_err(|_| "the game or its options are unknown")?;
    let header = Header {
        match_id: told.match_id.clone(),
        external_id: told.external_id.clone(),
        options,
        rules_version: told.rules_version.clone(),
        commitment: deals.commitment(),
        visibility: told.visibility(),
        created_ms: told.create_time.as_ref().map_or(0, instant_ms),
        sealed_seed: Vec::new(),
    };
    Sitting::new(header, deals).map_err(|_| "the options are out of bounds".to_owned())
}

fn check(sitting: &mut Sitting, event: &v1::Event) -> Result<(), String> {
    let number = event.sequence;
    if number != sitting.sequence + 1 {
        return Err(format!("event {number} stands where {} belongs", sitting.sequence + 1));
    }
    let kind = event.kind.as_ref().ok_or_else(|| format!("event {number} is empty"))?;
    let fact = Fact::read(kind, &sitting.header.options).ok_or_else(|| format!("event {number} cannot be read"))?;
    if fact.shown(sitting, Audience::Replay).as_ref() != Some(kind) {
        return Err(format!("event {number} is not what the deal and the rules make of it"));
    }
    if let Fact::Game(event) = &fact
        && let Err(unfoldable) = sitting.table.audit(event)
    {
        return Err(format!("event {number} is not by the rules: {}", unfoldable.0));
    }
    let instant_ms = event.time.as_ref().map_or(0, instant_ms);
    sitting.advance(instant_ms, &[fact]).map_err(|_| format!("event {number} does not follow from those before it"))
}
