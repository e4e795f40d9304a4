//! A player's request to act, read from the wire once.

use prost::Message;
use pyo3::prelude::*;
use sha2::{Digest, Sha256};

use crate::{
    errors::{Fault, guarded},
    game::Action,
    wire::v1::{self, submit_action_request::Action as Asked},
};

/// The longest request id, in bytes.
const MAX_REQUEST_ID: usize = 64;

/// What is asked for.
#[derive(Clone, Debug)]
pub(crate) enum Command {
    /// An action at the table.
    Act(Action),
    /// To give up.
    Resign,
    /// Something well-formed that no table knows, and the reason of its refusal.
    Unknown(&'static str),
}

/// A `SubmitActionRequest`, read.
#[pyclass(frozen, module = "majlis._core")]
pub(crate) struct Submit {
    #[pyo3(get)]
    match_id: String,
    #[pyo3(get)]
    request_id: String,
    #[pyo3(get)]
    expected_sequence: Option<u32>,
    /// SHA-256 of what is asked, without the ids and the sequence it was asked on: a repeat may know a newer head.
    body: [u8; 32],
    pub(crate) command: Command,
}

#[pymethods]
impl Submit {
    #[staticmethod]
    fn read(request: &[u8]) -> PyResult<Self> {
        guarded(|| Self::decode(request))
    }

    #[getter]
    fn kind(&self) -> &'static str {
        match &self.command {
            Command::Act(action) => action.name(),
            Command::Resign => "resign",
            Command::Unknown(_) => "unknown",
        }
    }
}

impl Submit {
    pub(crate) fn request_id(&self) -> &str {
        &self.request_id
    }

    pub(crate) fn body(&self) -> &[u8; 32] {
        &self.body
    }

    fn decode(request: &[u8]) -> Result<Self, Fault> {
        let request = v1::SubmitActionRequest::decode(request)
            .map_err(|_| Fault::field("", "the bytes are no SubmitActionRequest"))?;
        let mut faults = Vec::new();
        if request.match_id.is_empty() {
            faults.push(("match_id".to_owned(), "is missing".to_owned()));
        }
        if request.request_id.is_empty() || request.request_id.len() > MAX_REQUEST_ID {
            let wrong = format!("has {} bytes, must have 1 to {MAX_REQUEST_ID}", request.request_id.len());
            faults.push(("request_id".to_owned(), wrong));
        }
        let command = match &request.action {
            None => Err(Fault::field("action", "is missing")),
            Some(asked) => match Action::read(asked) {
                None => Ok(Command::Resign),
                Some(Ok(action)) => Ok(Command::Act(action)),
                // It is refused in its match, where it is known whether the caller has a seat.
                Some(Err(Fault::Refused(reason))) => Ok(Command::Unknown(reason)),
                Some(Err(other)) => Err(other),
            },
        };
        match command {
            Ok(command) if faults.is_empty() => Ok(Self {
                body: hash(&request, &command),
                match_id: request.match_id,
                request_id: request.request_id,
                expected_sequence: request.expected_sequence,
                command,
            }),
            Ok(_) => Err(Fault::Malformed(faults)),
            Err(Fault::Malformed(fields)) => Err(Fault::Malformed(faults.into_iter().chain(fields).collect())),
            Err(other) => Err(other),
        }
    }
}

fn hash(request: &v1::SubmitActionRequest, command: &Command) -> [u8; 32] {
    let action = match command {
        // Doubled cards may be named in any order.
        Command::Act(Action::Trix(action)) => Some(Asked::Trix(crate::trix::action::write(action))),
        Command::Act(_) | Command::Resign | Command::Unknown(_) => request.action.clone(),
    };
    Sha256::digest(v1::SubmitActionRequest { action, ..Default::default() }.encode_to_vec()).into()
}
