//! What is made anew from a whole log: what a viewer missed, an answer given before, and the replay of an ended match.

use pyo3::{prelude::*, types::PyBytes};

use crate::{
    audience::{Audience, Viewer},
    errors::{Fault, guarded},
    fact::Fact,
    record, response,
    sealer::Sealer,
    wire::v1,
};

/// `WatchMatchResponse`s for what a viewer missed, one a record.
#[pyfunction]
pub(crate) fn missed<'py>(
    py: Python<'py>,
    payloads: Vec<Vec<u8>>,
    sealer: &Sealer,
    viewer: i32,
    after_sequence: u32,
    now_ms: i64,
) -> PyResult<Vec<Bound<'py, PyBytes>>> {
    let made = py.detach(|| {
        guarded(|| {
            let mut made = Vec::new();
            record::fold(&payloads, &sealer.keys, |sitting, facts| {
                if sitting.sequence > after_sequence && facts.iter().any(Fact::is_public) {
                    let viewer = Viewer::numbered(viewer, sitting.header.options.seats());
                    let digest = response::digest_for(sitting, viewer);
                    let batch = response::batch(sitting, &facts, viewer, now_ms, after_sequence, digest);
                    made.push(response::bytes(&batch));
                }
                Ok(())
            })?;
            Ok(made)
        })
    })?;
    Ok(made.iter().map(|bytes| PyBytes::new(py, bytes)).collect())
}

/// The `SubmitActionResponse` of the last payload.
#[pyfunction]
pub(crate) fn answer<'py>(
    py: Python<'py>,
    payloads: Vec<Vec<u8>>,
    sealer: &Sealer,
    viewer: i32,
) -> PyResult<Bound<'py, PyBytes>> {
    let made = py.detach(|| {
        guarded(|| {
            let last = payloads.len() as u32;
            let mut made = Vec::new();
            record::fold(&payloads, &sealer.keys, |sitting, facts| {
                if sitting.record == last {
                    let viewer = Viewer::numbered(viewer, sitting.header.options.seats());
                    made = response::bytes(&response::answer(sitting, &facts, viewer));
                }
                Ok(())
            })?;
            Ok(made)
        })
    })?;
    Ok(PyBytes::new(py, &made))
}

/// A `GetReplayResponse` without its page token, and the sequence of its last event, 0 at the end.
#[pyfunction]
pub(crate) fn replay<'py>(
    py: Python<'py>,
    payloads: Vec<Vec<u8>>,
    sealer: &Sealer,
    after_sequence: u32,
    page_size: u32,
) -> PyResult<(Bound<'py, PyBytes>, u32)> {
    let (page, next) = py.detach(|| guarded(|| page(&payloads, sealer, after_sequence, page_size)))?;
    Ok((PyBytes::new(py, &response::bytes(&page)), next))
}

fn page(
    payloads: &[Vec<u8>],
    sealer: &Sealer,
    after_sequence: u32,
    page_size: u32,
) -> Result<(v1::GetReplayResponse, u32), Fault> {
    let mut events = Vec::new();
    let last = after_sequence.saturating_add(page_size);
    let sitting = record::fold(payloads, &sealer.keys, |sitting, facts| {
        let shown = response::events(sitting, &facts, Audience::Replay);
        events.extend(shown.filter(|event| event.sequence > after_sequence && event.sequence <= last));
        Ok(())
    })?;
    // The seed and the classes of attempts are told when nothing can be hidden any more, and not before.
    if sitting.outcome.is_none() {
        return Err(Fault::Refused("MATCH_NOT_ENDED"));
    }
    let deals = sitting.table.deals().ok_or_else(|| Fault::damaged("the match has no deals"))?;
    let page = v1::GetReplayResponse {
        deal_seed: deals.seed().to_vec(),
        entropies: deals.entropies().to_vec(),
        events,
        next_page_token: String::new(),
        r#match: Some(response::public(&sitting, &[])),
    };
    Ok((page, if last < sitting.sequence { last } else { 0 }))
}
