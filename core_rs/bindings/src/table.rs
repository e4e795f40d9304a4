//! One match as Python holds it: an opaque table that judges, drafts and shows.

use std::sync::Arc;

use majlis_rules::{playout::Xorshift, seat::Seat};
use prost::Message;
use pyo3::{exceptions::PyValueError, prelude::*, types::PyBytes};
use sha2::{Digest, Sha256};

use crate::{
    audience::Viewer,
    clock::Waits,
    draft::Draft,
    errors::{Fault, guarded},
    fact::Fact,
    game::{self, Event, Options},
    header::{self, Wanted},
    lobby, record, request_key, response,
    seal::{Keys, Seed},
    sealer::Sealer,
    seats::Player,
    sitting::Sitting,
    submit::{Command, Submit},
    terms::Terms,
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
    #[pyo3(signature = (request, match_id, now_ms, sealer, stakes_ms = 0))]
    fn found(
        request: &[u8],
        match_id: String,
        now_ms: i64,
        sealer: &Sealer,
        stakes_ms: u32,
    ) -> PyResult<(Self, Draft)> {
        founded(&sealer.keys, match_id, now_ms, || Wanted::read(creation(request)?, stakes_ms))
    }

    #[staticmethod]
    #[pyo3(signature = (game, options, player_id, display_name, match_id, now_ms, sealer, *, visibility, seats_ms, stakes_ms, table_id = String::new()))]
    #[allow(clippy::too_many_arguments)] // by keyword, all that a waiting match is made of
    fn open(
        game: i32,
        options: &[u8],
        player_id: String,
        display_name: String,
        match_id: String,
        now_ms: i64,
        sealer: &Sealer,
        visibility: i32,
        seats_ms: u32,
        stakes_ms: u32,
        table_id: String,
    ) -> PyResult<(Self, Draft)> {
        founded(&sealer.keys, match_id, now_ms, || {
            Ok(Wanted {
                external_id: String::new(),
                options: Options::decode(game, options)?,
                visibility: header::visibility(visibility, v1::Visibility::Seated)?,
                players: vec![(0, Player::named(player_id, display_name))],
                terms: Terms { seats_ms, stakes_ms, table_id, ..Terms::default() },
            })
        })
    }

    fn rematch(
        &self,
        player_id: &str,
        match_id: String,
        now_ms: i64,
        seats_ms: u32,
        stakes_ms: u32,
    ) -> PyResult<(Self, Draft)> {
        founded(&self.keys, match_id, now_ms, || lobby::rematch(&self.sitting, player_id, seats_ms, stakes_ms))
    }

    fn join(&self, player_id: String, display_name: String, now_ms: i64) -> PyResult<Draft> {
        self.drafted(now_ms, |sitting| lobby::join(sitting, Player::named(player_id, display_name)))
    }

    fn leave(&self, player_id: &str, now_ms: i64) -> PyResult<Draft> {
        self.drafted(now_ms, |sitting| lobby::leave(sitting, player_id))
    }

    fn confirm_stake(&self, player_id: &str, now_ms: i64) -> PyResult<Draft> {
        self.drafted(now_ms, |sitting| lobby::confirm_stake(sitting, player_id))
    }

    fn connect(&self, player_id: &str, now_ms: i64) -> PyResult<Draft> {
        self.drafted(now_ms, |sitting| lobby::connect(sitting, player_id))
    }

    fn stake_request(&self, player_id: &str, payment_id: &str) -> PyResult<([u8; 32], [u8; 32])> {
        guarded(|| Ok(request_key::of_stake(self.seed()?, player_id, payment_id)))
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
        guarded(|| Ok(request_key::of(self.seed()?, player_id, submit)))
    }

    fn decide(&self, seat: u32, submit: &Submit, now_ms: i64) -> PyResult<Draft> {
        self.drafted(now_ms, |sitting| {
            let seat = Seat::at_table(seat, sitting.seats.count() as u32).ok_or(Fault::Refused("NOT_SEATED"))?;
            let table = lobby::opened(sitting)?;
            let events = match &submit.command {
                Command::Act(action) => table.decide(seat, action)?,
                Command::Resign => table.resign(seat)?,
                Command::Unknown(reason) => return Err(Fault::Refused(reason)),
            };
            Ok(game_facts(events))
        })
    }

    fn expire(&self, now_ms: i64) -> PyResult<Draft> {
        self.drafted(now_ms, |sitting| match sitting.due().ok_or(game::NO_CLOCK)?.kind {
            Waits::Seats | Waits::Stakes | Waits::Connect => lobby::lapse(sitting),
            Waits::Table(clock) => Ok(game_facts(sitting.table.expire(clock)?)),
        })
    }

    fn extend(&self, by_ms: u32, now_ms: i64) -> PyResult<Draft> {
        self.drafted(now_ms, |sitting| {
            sitting.clock.running().ok_or(game::NO_CLOCK)?;
            Ok(vec![Fact::ClockExtended { by_ms }])
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

    fn rematch_made<'py>(&self, py: Python<'py>, rematch_id: String, now_ms: i64) -> PyResult<Bound<'py, PyBytes>> {
        sent(py, || Some(response::rematch(&self.sitting, rematch_id, now_ms)))
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
        pyo3::types::PyTuple::new(py, self.sitting.seats.player_ids())
    }

    #[getter]
    fn reserved<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyTuple>> {
        pyo3::types::PyTuple::new(py, &self.sitting.header.terms.reserved)
    }

    #[getter]
    fn is_full(&self) -> bool {
        self.sitting.seats.are_full()
    }

    fn awaits(&self, player_id: &str) -> bool {
        lobby::awaits(&self.sitting, player_id)
    }

    #[getter]
    fn end_ms(&self) -> Option<i64> {
        self.sitting.end_ms
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
    /// What a decision brings about, drafted.
    fn drafted(&self, now_ms: i64, decide: impl FnOnce(&Sitting) -> Result<Vec<Fact>, Fault>) -> PyResult<Draft> {
        guarded(|| Draft::new(&self.sitting, now_ms, decide(&self.sitting)?, &self.keys))
    }

    fn seed(&self) -> Result<&Seed, Fault> {
        Ok(self.sitting.table.deals().ok_or_else(|| Fault::damaged("the match has no deals"))?.seed())
    }

    fn viewer(&self, number: i32) -> Viewer {
        Viewer::numbered(number, self.sitting.header.options.seats())
    }
}

/// The bytes of a message made under guard.
fn sent<M: Message>(py: Python<'_>, make: impl FnOnce() -> Option<M>) -> PyResult<Bound<'_, PyBytes>> {
    let bytes = guarded(|| Ok(make().map(|message| response::bytes(&message))))?;
    bytes.map(|bytes| PyBytes::new(py, &bytes)).ok_or_else(|| PyValueError::new_err("nobody sits there"))
}

/// A table at record 0, and the draft that founds its match.
fn founded(
    keys: &Arc<Keys>,
    match_id: String,
    now_ms: i64,
    wanted: impl FnOnce() -> Result<Wanted, Fault>,
) -> PyResult<(Table, Draft)> {
    guarded(|| {
        let (sitting, facts) = lobby::found(wanted()?, match_id, now_ms, keys)?;
        let draft = Draft::new(&sitting, now_ms, facts, keys)?;
        Ok((Table { sitting: Arc::new(sitting), keys: Arc::clone(keys) }, draft))
    })
}

fn creation(request: &[u8]) -> Result<v1::CreateMatchRequest, Fault> {
    v1::CreateMatchRequest::decode(request).map_err(|_| Fault::field("", "the bytes are no CreateMatchRequest"))
}

fn game_facts(events: Vec<Event>) -> Vec<Fact> {
    events.into_iter().map(Fact::Game).collect()
}
