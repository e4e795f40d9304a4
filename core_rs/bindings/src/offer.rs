//! Options judged before there is a match: those of a table that an operator declares.

use pyo3::{prelude::*, types::PyBytes};

use crate::{errors::guarded, game::Options, response};

/// A game's `GameOptions` with the defaults put in.
#[pyfunction]
pub(crate) fn options<'py>(py: Python<'py>, game: i32, options: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    let whole = guarded(|| Ok(response::bytes(&Options::decode(game, options)?.write())))?;
    Ok(PyBytes::new(py, &whole))
}
