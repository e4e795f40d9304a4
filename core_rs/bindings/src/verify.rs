//! Checks a replay: the seed against its commitment, every deal, and every command judged again by the rules.

use majlis_rules::deck::DealSource;
use prost::Message;
use pyo3::prelude::*;

use crate::{
    audience::Audience,
    errors::{Fault, guarded},
    fact::Fact,
    game::Options,
    header::{self, Header, RULES_VERSION},
    lobby, response,
    sitting::Sitting,
    terms::Terms,
    wire::{
        instant_ms,
        v1::{self, event::Kind},
    },
};

/// More events than one command of any game brings about.
const LONGEST_COMMAND: usize = 16;

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
    if told.rules_version != RULES_VERSION {
        return Err(format!("it was played by rules {:?}, which are unknown here", told.rules_version));
    }
    let mut sitting = sitting(told, replay.events.first(), deals)?;
    if sitting.header.asks_for_stakes() && sitting.header.options.entry_fee_minor().is_none_or(|fee| fee == 0) {
        return Err("fees are to be confirmed where there are none".to_owned());
    }
    if replay.entropies.len() != sitting.header.options.seats() {
        return Err("there is not one entropy for each seat".to_owned());
    }
    let facts = facts(&sitting, &replay.events)?;
    let mut next = 0;
    while next < facts.len() {
        let command = next + command(&sitting, &facts[next..])?;
        while next < command {
            let told = &facts[next];
            next += 1;
            sitting
                .advance(told.instant_ms, std::slice::from_ref(&told.fact))
                .map_err(|_| format!("event {next} does not follow from those before it"))?;
        }
    }
    if sitting.outcome.is_none() {
        return Err("the match has not ended".to_owned());
    }
    if response::public(&sitting, &[]) != *told {
        return Err("the match is not what its events say".to_owned());
    }
    Ok(())
}

fn sitting(told: &v1::Match, first: Option<&v1::Event>, deals: DealSource) -> Result<Sitting, String> {
    let options = Options::read(told.game, told.options.as_ref()).map_err(|_| "the game or its options are unknown")?;
    let header = Header {
        match_id: told.match_id.clone(),
        external_id: told.external_id.clone(),
        options,
        rules_version: told.rules_version.clone(),
        commitment: deals.commitment(),
        visibility: told.visibility(),
        terms: match first.and_then(|event| event.kind.as_ref()) {
            Some(Kind::MatchCreated(created)) => header::terms(created),
            _ => Terms::default(),
        },
        created_ms: told.create_time.as_ref().map_or(0, instant_ms),
        sealed_seed: Vec::new(),
    };
    Sitting::new(header, deals).map_err(|_| "the options are out of bounds".to_owned())
}

/// An event of a replay, read.
struct Told<'a> {
    fact: Fact,
    instant_ms: i64,
    kind: &'a Kind,
}

/// All events, each in its place, with what the deal makes of it, and none before the one before it.
fn facts<'a>(sitting: &Sitting, events: &'a [v1::Event]) -> Result<Vec<Told<'a>>, String> {
    let mut facts: Vec<Told<'_>> = Vec::with_capacity(events.len());
    let mut latest_ms = sitting.header.created_ms;
    for (number, event) in (1..).zip(events) {
        if event.sequence != number {
            return Err(format!("event {} stands where {number} belongs", event.sequence));
        }
        let kind = event.kind.as_ref().ok_or_else(|| format!("event {number} is empty"))?;
        let fact = Fact::read(kind, &sitting.header.options).ok_or_else(|| format!("event {number} cannot be read"))?;
        // What a void match gives back hangs on the fees that were taken by then: `command` sees to it.
        if !matches!(fact, Fact::Voided { .. }) && !is_told(&fact, sitting, kind) {
            return Err(format!("event {number} is not what the deal makes of it"));
        }
        let instant_ms = event.time.as_ref().map(instant_ms).ok_or_else(|| format!("event {number} has no time"))?;
        if instant_ms < latest_ms || (number == 1 && instant_ms != latest_ms) {
            return Err(format!("event {number} is of another time"));
        }
        latest_ms = instant_ms;
        facts.push(Told { fact, instant_ms, kind });
    }
    Ok(facts)
}

/// Whether a fact is told as this server would tell it.
fn is_told(fact: &Fact, sitting: &Sitting, told: &Kind) -> bool {
    fact.shown(sitting, Audience::Replay).as_ref() == Some(told)
}

/// How many of the events that come next one command brought about, judged again.
fn command(sitting: &Sitting, facts: &[Told<'_>]) -> Result<usize, String> {
    let number = sitting.sequence + 1;
    let out_of_place = || format!("event {number} is out of place");
    let decided = match &facts[0].fact {
        Fact::Game(_) if sitting.status == v1::MatchStatus::Active => {
            let next = facts.iter().take(LONGEST_COMMAND).map_while(|told| match &told.fact {
                Fact::Game(event) => Some(event.clone()),
                _ => None,
            });
            let by_the_rules = sitting.table.retrace(&next.collect::<Vec<_>>());
            return by_the_rules.map_err(|not| format!("event {number} is not by the rules: {}", not.0));
        }
        Fact::Created if number == 1 => return Ok(1),
        Fact::ClockExtended { .. } if sitting.clock.running().is_some() => return Ok(1),
        Fact::SeatTaken { player, .. } if number > 1 => lobby::join(sitting, player.clone()),
        Fact::SeatLeft { seat } => lobby::leave(sitting, player_on(sitting, *seat).ok_or_else(out_of_place)?),
        Fact::StakeConfirmed { seat } => {
            lobby::confirm_stake(sitting, player_on(sitting, *seat).ok_or_else(out_of_place)?)
        }
        Fact::PlayerConnected { seat } => lobby::connect(sitting, player_on(sitting, *seat).ok_or_else(out_of_place)?),
        Fact::Voided { reason } => lobby::called_off(sitting, *reason),
        _ => return Err(out_of_place()),
    };
    let decided = decided.ok().filter(|facts| !facts.is_empty()).ok_or_else(out_of_place)?;
    let told = &facts[..decided.len().min(facts.len())];
    if !told.iter().map(|told| &told.fact).eq(&decided) {
        return Err(format!("event {number} brought about something else"));
    }
    // What a void match gives back hangs on the fees that were taken by now.
    let gives_back =
        |told: &Told<'_>| !matches!(told.fact, Fact::Voided { .. }) || is_told(&told.fact, sitting, told.kind);
    if told.iter().all(gives_back) { Ok(decided.len()) } else { Err(out_of_place()) }
}

/// Who sits on a seat.
fn player_on(sitting: &Sitting, seat: u32) -> Option<&str> {
    sitting.seats.get(seat).map(|seated| seated.player.player_id.as_str())
}
