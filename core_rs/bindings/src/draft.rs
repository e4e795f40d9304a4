//! An accepted command that is not yet durable: what to append, and what to send once it is.

use std::sync::{Arc, OnceLock};

use pyo3::{
    prelude::*,
    types::{PyBytes, PyTuple},
};

use crate::{
    audience::Viewer,
    errors::{Fault, guarded},
    fact::Fact,
    record, response,
    seal::Keys,
    sitting::Sitting,
};

/// A record to be, and the match after it.
#[pyclass(frozen, module = "majlis._core")]
pub(crate) struct Draft {
    pub(crate) after: Arc<Sitting>,
    facts: Vec<Fact>,
    payload: Vec<u8>,
    /// Of the view after it, where all viewers see the same.
    common_digest: OnceLock<Vec<u8>>,
}

impl Draft {
    /// The draft of facts that were decided on at an instant. No event with a number is ever older than the one before
    /// it; what has none does not count, or the time of the next one would tell of it.
    ///
    /// # Errors
    /// The facts do not follow, which is a fault of the rules.
    pub(crate) fn new(before: &Sitting, now_ms: i64, facts: Vec<Fact>, keys: &Keys) -> Result<Self, Fault> {
        let instant_ms = now_ms.max(before.public_ms);
        let payload = record::write(before, instant_ms, &facts, keys)?;
        Self::advanced(before, instant_ms, facts, payload)
    }

    /// The draft that somebody else appended.
    ///
    /// # Errors
    /// [`Fault::Damaged`]: it cannot be read, or does not follow.
    pub(crate) fn read(before: &Sitting, payload: Vec<u8>, keys: &Keys) -> Result<Self, Fault> {
        let record = record::read(&payload)?;
        let facts = record::facts(before, &record, keys)?;
        Self::advanced(before, record.instant_ms, facts, payload)
    }

    fn advanced(before: &Sitting, instant_ms: i64, facts: Vec<Fact>, payload: Vec<u8>) -> Result<Self, Fault> {
        let mut after = before.clone();
        after.advance(instant_ms, &facts)?;
        Ok(Self { after: Arc::new(after), facts, payload, common_digest: OnceLock::new() })
    }
}

#[pymethods]
impl Draft {
    #[getter]
    fn record(&self) -> u32 {
        self.after.record
    }

    #[getter]
    fn payload<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.payload)
    }

    #[getter]
    fn instant_ms(&self) -> i64 {
        self.after.instant_ms
    }

    #[getter]
    fn public_ms(&self) -> i64 {
        self.after.public_ms
    }

    #[getter]
    fn first_sequence(&self) -> u32 {
        self.after.sequence + 1 - self.facts.iter().filter(|fact| fact.is_public()).count() as u32
    }

    #[getter]
    fn sequence(&self) -> u32 {
        self.after.sequence
    }

    #[getter]
    fn acted_sequence(&self) -> u32 {
        self.after.acted_sequence
    }

    #[getter]
    fn status(&self) -> i32 {
        self.after.status as i32
    }

    #[getter]
    fn deadline_ms(&self) -> Option<i64> {
        self.after.due().map(|clock| clock.deadline_ms)
    }

    #[getter]
    fn players<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.after.seats.player_ids())
    }

    #[getter]
    fn is_full(&self) -> bool {
        self.after.seats.are_full()
    }

    #[getter]
    fn verdict(&self) -> &'static str {
        let opens = self.facts.iter().any(|fact| matches!(fact, Fact::Game(event) if event.opens_claim()));
        if opens { "claim_opened" } else { "accepted" }
    }

    #[getter]
    fn kinds(&self) -> Vec<&'static str> {
        self.facts.iter().map(Fact::name).collect()
    }

    fn answer<'py>(&self, py: Python<'py>, viewer: i32) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = guarded(|| Ok(response::bytes(&response::answer(&self.after, &self.facts, self.viewer(viewer)))))?;
        Ok(PyBytes::new(py, &bytes))
    }

    #[pyo3(signature = (viewer, now_ms, after_sequence = 0))]
    fn update<'py>(
        &self,
        py: Python<'py>,
        viewer: i32,
        now_ms: i64,
        after_sequence: u32,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let bytes = guarded(|| {
            let viewer = self.viewer(viewer);
            Ok(if self.is_public() {
                let digest = self.digest(viewer);
                Some(response::batch(&self.after, &self.facts, viewer, now_ms, after_sequence, digest))
            } else if self.facts.iter().any(|fact| fact.is_of(viewer)) {
                response::private_notice(&self.after, viewer, now_ms)
            } else {
                None
            }
            .map(|message| response::bytes(&message)))
        })?;
        Ok(bytes.map(|bytes| PyBytes::new(py, &bytes)))
    }

    #[getter]
    fn is_empty(&self) -> bool {
        self.facts.is_empty()
    }

    #[getter]
    fn is_public(&self) -> bool {
        self.facts.iter().any(Fact::is_public)
    }
}

impl Draft {
    fn viewer(&self, number: i32) -> Viewer {
        Viewer::numbered(number, self.after.header.options.seats())
    }

    fn digest(&self, viewer: Viewer) -> Vec<u8> {
        let make = || response::digest_for(&self.after, viewer);
        if self.after.table.is_seen_alike() { self.common_digest.get_or_init(make).clone() } else { make() }
    }
}
