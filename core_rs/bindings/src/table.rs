//! One match as Python holds it: an opaque table that judges, drafts and shows.

use std::sync::Arc;

use majlis_rules::playout::Xorshift;
use prost::Message;
use pyo3::{exceptions::PyValueError, prelude::*, types::PyBytes};
use sha2::{Digest, Sha256};

use crate::{
    audience::Viewer,
    draft::Draft,
    errors::{Fault, guarded},
    fact::Fact,
    game::{self, Event},
    header::{Header, Wanted},
    record, request_key, response,
    seal::Keys,
    sealer::Sealer,
    sitting::Sitting,
    submit::{Command, Submit},
    wire::v1,
};

/// One match: its log folded, hidden cards included.
#[pyclass(module = "majlis._core")]
pub(crate) struct Table {
    sitting: Arc<Sitting>,
    keys: Arc<Keys>,
}

#[pymethods]
impl Table {
    #[staticmethod]
    fn found(request: &[u8], match_id: String, now_ms: i64, sealer: &Sealer) -> PyResult<(Self, Draft)> {
        guarded(|| {
            let wanted = Wanted::read(creation(request)?)?;
            let (header, deals) = Header::found(&wanted, match_id, now_ms, &sealer.keys)?;
            let sitting = Sitting::new(header, deals)?;
            let seatings = wanted.players.into_iter().zip(0..).map(|(player, seat)| Fact::SeatTaken {
                seat,
                player_id: player.player_id,
                display_name: player.display_name,
            });
            let deal = sitting.table.start()?.into_iter().map(Fact::Game);
            let facts = [Fact::Created].into_iter().chain(seatings).chain([Fact::Started]).chain(deal).collect();
            let draft = Draft::new(&sitting, now_ms, facts, &sealer.keys)?;
            Ok((Self { sitting: Arc::new(sitting), keys: Arc::clone(&sealer.keys) }, draft))
        })
    }

    #[staticmethod]
    fn request_hash(request: &[u8]) -> PyResult<[u8; 32]> {
        guarded(|| Ok(Sha256::digest(response::bytes(&creation(request)?)).into()))
    }

    #[staticmethod]
    fn load(py: Python<'_>, payloads: Vec<Vec<u8>>, sealer: &Sealer) -> PyResult<Self> {
        let sitting = py.detach(|| guarded(|| record::fold(&payloads, &sealer.keys, |_, _| Ok(()))))?;
        Ok(Self { sitting: Arc::new(sitting), keys: Arc::clone(&sealer.keys) })
    }

    fn request(&self, player_id: &str, submit: &Submit) -> PyResult<([u8; 32], [u8; 32])> {
        guarded(|| {
            let deals = self.sitting.table.deals().ok_or_else(|| Fault::damaged("the match has no deals"))?;
            Ok(request_key::of(deals.seed(), player_id, submit))
        })
    }

    fn decide(&self, seat: u32, submit: &Submit, now_ms: i64) -> PyResult<Draft> {
        guarded(|| {
            let sitting = &self.sitting;
            let seat = majlis_rules::seat::Seat::at_table(seat, sitting.header.options.seats() as u32)
                .ok_or(Fault::Refused("NOT_SEATED"))?;
            let events = match &submit.command {
                Command::Act(action) => sitting.table.decide(seat, action)?,
                Command::Resign => sitting.table.resign(seat)?,
                Command::Unknown(reason) => return Err(Fault::Refused(reason)),
            };
            Draft::new(sitting, now_ms, game_facts(events), &self.keys)
        })
    }

    fn expire(&self, now_ms: i64) -> PyResult<Draft> {
        guarded(|| {
            let clock = self.sitting.due().ok_or(game::NO_CLOCK)?;
            Draft::new(&self.sitting, now_ms, game_facts(self.sitting.table.expire(clock.kind)?), &self.keys)
        })
    }

    fn extend(&self, by_ms: u32, now_ms: i64) -> PyResult<Draft> {
        guarded(|| {
            self.sitting.clock.running().ok_or(game::NO_CLOCK)?;
            Draft::new(&self.sitting, now_ms, vec![Fact::ClockExtended { by_ms }], &self.keys)
        })
    }

    fn read(&self, payload: Vec<u8>) -> PyResult<Draft> {
        guarded(|| Draft::read(&self.sitting, payload, &self.keys))
    }

    fn commit(&mut self, draft: &Draft) -> PyResult<()> {
        let (before, after) = (&self.sitting, &draft.after);
        if after.header.match_id != before.header.match_id || after.record != before.record + 1 {
            return Err(PyValueError::new_err(format!("record {} does not follow {}", after.record, before.record)));
        }
        self.sitting = Arc::clone(after);
        Ok(())
    }

    fn otherwise(&self, viewer: i32, number: u64) -> PyResult<Self> {
        let mut chance = Xorshift::new(number);
        let other = guarded(|| Ok(self.sitting.otherwise(self.viewer(viewer), &mut |sides| chance.below(sides))))?;
        let other = other.ok_or_else(|| PyValueError::new_err("this game's tables cannot be put otherwise yet"))?;
        Ok(Self { sitting: Arc::new(other), keys: Arc::clone(&self.keys) })
    }

    // What is sent of it.

    #[pyo3(signature = (viewer, now_ms, connected = Vec::new()))]
    fn snapshot<'py>(
        &self,
        py: Python<'py>,
        viewer: i32,
        now_ms: i64,
        connected: Vec<u32>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        sent(py, || Some(response::snapshot(&self.sitting, self.viewer(viewer), now_ms, &connected)))
    }

    #[pyo3(signature = (viewer, now_ms, connected = Vec::new()))]
    fn get_match<'py>(
        &self,
        py: Python<'py>,
        viewer: i32,
        now_ms: i64,
        connected: Vec<u32>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        sent(py, || Some(response::get_match(&self.sitting, self.viewer(viewer), now_ms, &connected)))
    }

    #[pyo3(signature = (connected = Vec::new()))]
    fn r#match<'py>(&self, py: Python<'py>, connected: Vec<u32>) -> PyResult<Bound<'py, PyBytes>> {
        sent(py, || Some(response::public(&self.sitting, &connected)))
    }

    fn heartbeat<'py>(&self, py: Python<'py>, now_ms: i64) -> PyResult<Bound<'py, PyBytes>> {
        sent(py, || Some(response::heartbeat(&self.sitting, now_ms)))
    }

    fn private_state<'py>(&self, py: Python<'py>, viewer: i32, now_ms: i64) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let notice = guarded(|| Ok(response::private_notice(&self.sitting, self.viewer(viewer), now_ms)))?;
        Ok(notice.map(|notice| PyBytes::new(py, &response::bytes(&notice))))
    }

    fn presence<'py>(&self, py: Python<'py>, seat: u32, connected: bool, now_ms: i64) -> PyResult<Bound<'py, PyBytes>> {
        sent(py, || response::presence(&self.sitting, seat, connected, now_ms))
    }

    fn drain<'py>(&self, py: Python<'py>, within_ms: u32, now_ms: i64) -> PyResult<Bound<'py, PyBytes>> {
        sent(py, || Some(response::drain(&self.sitting, within_ms, now_ms)))
    }

    // What Python may know of it.

    #[getter]
    fn match_id(&self) -> &str {
        &self.sitting.header.match_id
    }

    #[getter]
    fn game(&self) -> &'static str {
        self.sitting.header.options.name()
    }

    #[getter]
    fn external_id(&self) -> &str {
        &self.sitting.header.external_id
    }

    #[getter]
    fn record(&self) -> u32 {
        self.sitting.record
    }

    #[getter]
    fn sequence(&self) -> u32 {
        self.sitting.sequence
    }

    #[getter]
    fn acted_sequence(&self) -> u32 {
        self.sitting.acted_sequence
    }

    #[getter]
    fn status(&self) -> i32 {
        self.sitting.status as i32
    }

    #[getter]
    fn visibility(&self) -> i32 {
        self.sitting.header.visibility as i32
    }

    #[getter]
    fn players<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyTuple>> {
        pyo3::types::PyTuple::new(py, self.sitting.players().collect::<Vec<_>>())
    }

    #[getter]
    fn created_ms(&self) -> i64 {
        self.sitting.header.created_ms
    }

    #[getter]
    fn instant_ms(&self) -> i64 {
        self.sitting.instant_ms
    }

    #[getter]
    fn public_ms(&self) -> i64 {
        self.sitting.public_ms
    }

    #[getter]
    fn deadline_ms(&self) -> Option<i64> {
        self.sitting.due().map(|clock| clock.deadline_ms)
    }

    #[getter]
    fn clock(&self) -> Option<&'static str> {
        self.sitting.clock.running().map(|running| running.kind.name())
    }

    #[getter]
    fn clock_record(&self) -> u32 {
        self.sitting.clock.running().map_or(0, |running| running.record)
    }
}

impl Table {
    fn viewer(&self, number: i32) -> Viewer {
        Viewer::numbered(number, self.sitting.header.options.seats())
    }
}

/// The bytes of a message made under guard.
fn sent<M: Message>(py: Python<'_>, make: impl FnOnce() -> Option<M>) -> PyResult<Bound<'_, PyBytes>> {
    let bytes = guarded(|| Ok(make().map(|message| response::bytes(&message))))?;
    bytes.map(|bytes| PyBytes::new(py, &bytes)).ok_or_else(|| PyValueError::new_err("nobody sits there"))
}

fn creation(request: &[u8]) -> Result<v1::CreateMatchRequest, Fault> {
    v1::CreateMatchRequest::decode(request).map_err(|_| Fault::field("", "the bytes are no CreateMatchRequest"))
}

fn game_facts(events: Vec<Event>) -> Vec<Fact> {
    events.into_iter().map(Fact::Game).collect()
}
