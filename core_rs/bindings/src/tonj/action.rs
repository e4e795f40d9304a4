//! Actions: read from the wire exactly as they were sent, judged by nobody yet, and written back.

use majlis_rules::games::tonj::{Action, Pile, PileKind, Place, Slot};
use majlis_rules::seat::Seat;

use crate::{
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

fn read_pile(pile: Option<&v1::Pile>, path: &str) -> Result<Pile, Fault> {
    let pile = pile.ok_or_else(|| Fault::field(path, "is missing"))?;
    let kind = match pile.kind() {
        v1::PileKind::Unspecified => {
            return Err(Fault::field(&format!("{path}.kind"), "is no kind of pile"));
        }
        v1::PileKind::Reserve => PileKind::Reserve,
        v1::PileKind::Hand => PileKind::Hand,
        v1::PileKind::Waste => PileKind::Waste,
        v1::PileKind::House => PileKind::House,
        v1::PileKind::Foundation => PileKind::Foundation,
    };
    Ok(Pile { kind, seat: pile.seat, index: pile.index })
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

/// A pile as the wire names it.
pub(crate) fn write_pile(pile: &Pile) -> v1::Pile {
    let kind = match pile.kind {
        PileKind::Unspecified => v1::PileKind::Unspecified,
        PileKind::Reserve => v1::PileKind::Reserve,
        PileKind::Hand => v1::PileKind::Hand,
        PileKind::Waste => v1::PileKind::Waste,
        PileKind::House => v1::PileKind::House,
        PileKind::Foundation => v1::PileKind::Foundation,
    };
    v1::Pile { kind: kind as i32, seat: pile.seat, index: pile.index }
}

/// A pile that exists, read back from an event; `None` if it names none.
pub(crate) fn read_place(pile: &v1::Pile) -> Option<Place> {
    let seat = || Seat::at_table(pile.seat, 2);
    let slot = || pile.index.and_then(Slot::new);
    match pile.kind() {
        v1::PileKind::Unspecified => None,
        v1::PileKind::Reserve => seat().map(Place::Reserve),
        v1::PileKind::Hand => seat().map(Place::Hand),
        v1::PileKind::Waste => seat().map(Place::Waste),
        v1::PileKind::House => slot().map(Place::House),
        v1::PileKind::Foundation => slot().map(Place::Foundation),
    }
}
