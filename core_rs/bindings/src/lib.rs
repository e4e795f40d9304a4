//! The one door between the rules and Python: the module `majlis._core`.
//!
//! Full states, hidden cards and seeds stay on this side. What leaves is opaque (`Table`, `Draft`, records for the
//! store) or made for one viewer (`response.rs`, `fact.rs`, and each game's `shown.rs`).

// PyO3 hands owned values to functions and wants methods where a function would do.
#![allow(clippy::needless_pass_by_value, clippy::trivially_copy_pass_by_ref)]

mod audience;
mod card;
mod clock;
mod crapette;
mod crapette_digest;
mod digest;
mod draft;
mod errors;
mod fact;
mod game;
mod header;
mod lobby;
mod offer;
mod offline;
mod outcome;
mod record;
mod replay;
mod request_key;
mod response;
mod seal;
mod sealer;
mod seats;
mod simulation;
mod sitting;
mod submit;
mod table;
mod terms;
mod tonj;
mod tonj_house;
mod trix;
mod verify;
mod wire;
mod wired;

/// The module that Python imports.
#[pyo3::pymodule]
mod _core {
    use pyo3::{prelude::*, types::PyTuple};

    #[pymodule_export]
    use crate::{
        draft::Draft,
        errors::{Damaged, Malformed, Panicked, Refused},
        offer::options,
        offline::{deal, judge_line},
        replay::{answer, missed, replay},
        sealer::Sealer,
        simulation::Simulation,
        submit::Submit,
        table::Table,
        verify::verify,
    };

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        crate::errors::install_panic_hook();
        let reasons = majlis_rules::refusal::Reason::ALL.iter().map(|reason| reason.code());
        module.add("RULE_REASONS", PyTuple::new(module.py(), reasons)?)?;
        module.add("RULES_VERSIONS", PyTuple::new(module.py(), [crate::header::RULES_VERSION])?)?;
        module.add("SPECTATOR", crate::audience::SPECTATOR)
    }
}
