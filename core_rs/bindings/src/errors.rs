//! How faults leave Rust: four exceptions, each with its facts, none with a card or a seed.

use std::{
    cell::RefCell,
    panic::{self, AssertUnwindSafe},
};

use majlis_rules::refusal::{Reason, Refusal};
use pyo3::{create_exception, exceptions::PyException, prelude::*};

create_exception!(majlis._core, Refused, PyException, "The rules say no, and nothing changed.");
create_exception!(
    majlis._core,
    Malformed,
    PyException,
    "A request that cannot be read or lacks something; nothing changed."
);
create_exception!(majlis._core, Damaged, PyException, "A stored record cannot be read, opened or folded.");
create_exception!(
    majlis._core,
    Panicked,
    PyException,
    "A fault of the core itself. Its text names the place in the source and nothing else; drop the table."
);

/// What a call into the core can come to, apart from its answer.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The rules, or the lifecycle, say no; a reason of the catalogue.
    Refused(&'static str),
    /// Field paths and what is wrong with each.
    Malformed(Vec<(String, String)>),
    /// A log that cannot be folded; why.
    Damaged(String),
    /// The operating system or a cipher failed; why.
    Failed(&'static str),
}

impl Fault {
    /// A request of which one field is wrong.
    pub(crate) fn field(path: &str, wrong: impl Into<String>) -> Self {
        Self::Malformed(vec![(path.to_owned(), wrong.into())])
    }

    /// A record that does not follow.
    pub(crate) fn damaged(why: impl Into<String>) -> Self {
        Self::Damaged(why.into())
    }
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Self {
        refusal.reason.into()
    }
}

impl From<Reason> for Fault {
    fn from(reason: Reason) -> Self {
        Self::Refused(reason.code())
    }
}

impl From<Fault> for PyErr {
    fn from(fault: Fault) -> Self {
        Python::attach(|py| match fault {
            Fault::Refused(reason) => with_fact(py, Refused::new_err(reason), "reason", reason),
            Fault::Malformed(fields) => {
                let text = fields.iter().map(|(path, wrong)| format!("{path}: {wrong}")).collect::<Vec<_>>().join("; ");
                let fields = pyo3::types::PyTuple::new(py, fields);
                match fields {
                    Ok(fields) => with_fact(py, Malformed::new_err(text), "fields", fields),
                    Err(error) => error,
                }
            }
            Fault::Damaged(why) => Damaged::new_err(why),
            Fault::Failed(why) => pyo3::exceptions::PyOSError::new_err(why),
        })
    }
}

/// Sets one attribute of an exception.
fn with_fact<'py>(py: Python<'py>, error: PyErr, name: &str, fact: impl IntoPyObject<'py>) -> PyErr {
    match error.value(py).setattr(name, fact) {
        Ok(()) => error,
        Err(other) => other,
    }
}

thread_local! {
    static PANICKED_AT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Makes panics tell their place only: a message may quote what is hidden.
pub(crate) fn install_panic_hook() {
    panic::set_hook(Box::new(|info| {
        let place = info.location().map_or_else(String::new, |at| format!("{}:{}", at.file(), at.line()));
        PANICKED_AT.with_borrow_mut(|at| at.clone_from(&place));
    }));
}

/// Runs the core's own code; a panic becomes `Panicked` with its place, a fault its exception.
///
/// # Errors
/// The exception that Python sees.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T, Fault>) -> PyResult<T> {
    match panic::catch_unwind(AssertUnwindSafe(work)) {
        Ok(done) => done.map_err(PyErr::from),
        Err(_) => Err(Panicked::new_err(PANICKED_AT.with_borrow(Clone::clone))),
    }
}
