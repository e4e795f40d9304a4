//! The operator's keys, as Python hands them over once and never sees again.

use std::{collections::BTreeMap, sync::Arc};

use pyo3::{exceptions::PyValueError, prelude::*};

use crate::seal::Keys;

/// Seals deal seeds and hidden answers for the store and opens them again.
#[pyclass(frozen, module = "majlis._core")]
pub(crate) struct Sealer {
    pub(crate) keys: Arc<Keys>,
}

#[pymethods]
impl Sealer {
    #[new]
    #[pyo3(signature = (keys = None, current = None))]
    fn new(keys: Option<BTreeMap<String, Vec<u8>>>, current: Option<String>) -> PyResult<Self> {
        let keys = Keys::new(keys.unwrap_or_default(), current).map_err(PyValueError::new_err)?;
        Ok(Self { keys: Arc::new(keys) })
    }
}
