//! Actions: read from the wire exactly as they were sent, judged by nobody yet, and written back.

use majlis_rules::games::tonj::Action;

use crate::{
    crapette::{read_pile, write_pile},
    errors::Fault,
    wire::v1::{self, tonj_action as message},
};

/// An action as it was sent.
///
/// # Errors
/// [`Fault::Malformed`] when it says nothing: no kind, or a move without its piles. What is merely wrong is for the
/// rules to judge.
pub(crate) fn read(action: &v1::TonjAction, path: &str) -> Result<Action, Fault> {
    match &action.kind {
        None => Err(Fault::field(path, "has no kind")),
        Some(message::Kind::Reveal(_)) => Ok(Action::Reveal),
        Some(message::Kind::Discard(_)) => Ok(Action::Discard),
        Some(message::Kind::EndTurn(_)) => Ok(Action::EndTurn),
        Some(message::Kind::CallTonj(_)) => Ok(Action::CallTonj),
        Some(message::Kind::Move(step)) => Ok(Action::Move {
            from: read_pile(step.from.as_ref(), &format!("{path}.move.from"))?,
            to: read_pile(step.to.as_ref(), &format!("{path}.move.to"))?,
            count: step.count,
        }),
    }
}

/// The name of an action, for metrics.
pub(crate) fn kind(action: &Action) -> &'static str {
    match action {
        Action::Move { .. } => "move",
        Action::Reveal => "reveal",
        Action::Discard => "discard",
        Action::EndTurn => "end_turn",
        Action::CallTonj => "call_tonj",
    }
}

/// The action as everybody may see it.
pub(crate) fn write(action: &Action) -> v1::TonjAction {
    let kind = match action {
        Action::Reveal => message::Kind::Reveal(message::Reveal {}),
        Action::Discard => message::Kind::Discard(message::Discard {}),
        Action::EndTurn => message::Kind::EndTurn(message::EndTurn {}),
        Action::CallTonj => message::Kind::CallTonj(message::CallTonj {}),
        Action::Move { from, to, count } => {
            message::Kind::Move(message::Move { from: Some(write_pile(from)), to: Some(write_pile(to)), count: *count })
        }
    };
    v1::TonjAction { kind: Some(kind) }
}
