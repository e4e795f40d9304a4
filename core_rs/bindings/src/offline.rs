//! What the offline tools pass on: text in, text out. None of it is reachable over the network.

use majlis_rules::position::unhex;
use pyo3::{exceptions::PyValueError, prelude::*};

use crate::errors::guarded;

/// One line of `majlis judge`; the answer, and whether it is an error.
#[pyfunction]
pub(crate) fn judge_line(line: &str) -> PyResult<(String, bool)> {
    guarded(|| Ok(majlis_rules::judge::judge_line(line)))
}

/// The position right after a deal, as JSON.
#[pyfunction]
pub(crate) fn deal(game: &str, seed_hex: &str, entropies_hex: Vec<String>, number: u32) -> PyResult<String> {
    let unreadable = |what: &str| PyValueError::new_err(format!("{what} is not given in hex digits"));
    let seed = unhex(seed_hex).and_then(|seed| seed.try_into().ok());
    let seed = seed.ok_or_else(|| PyValueError::new_err("the seed does not have 64 hex digits"))?;
    let entropies: Option<Vec<_>> = entropies_hex.iter().map(|entropy| unhex(entropy)).collect();
    let entropies = entropies.ok_or_else(|| unreadable("an entropy"))?;
    let made = guarded(|| Ok(majlis_rules::deal::position_after_deal(game, seed, entropies, number)))?;
    made.map_err(|fault| PyValueError::new_err(fault.to_string()))
}
