//! How matches end, to and from the wire.

use majlis_rules::{game::EndReason, seat::Seat};

use crate::wire::v1;

/// An outcome: all of it is public.
pub(crate) fn write(reason: EndReason, winners: &[Seat], totals: impl IntoIterator<Item = i32>) -> v1::Outcome {
    v1::Outcome {
        reason: write_reason(reason) as i32,
        winner_seats: winners.iter().map(|seat| seat.number().into()).collect(),
        totals: totals.into_iter().collect(),
    }
}

/// A reason for an end on the wire.
fn write_reason(reason: EndReason) -> v1::EndReason {
    match reason {
        EndReason::PlayedOut => v1::EndReason::PlayedOut,
        EndReason::Stalemate => v1::EndReason::Stalemate,
        EndReason::TurnLimit => v1::EndReason::TurnLimit,
        EndReason::Resigned => v1::EndReason::Resigned,
    }
}

/// A reason read back; `None` if the rules know none such.
pub(crate) fn read_reason(reason: v1::EndReason) -> Option<EndReason> {
    match reason {
        v1::EndReason::PlayedOut => Some(EndReason::PlayedOut),
        v1::EndReason::Stalemate => Some(EndReason::Stalemate),
        v1::EndReason::TurnLimit => Some(EndReason::TurnLimit),
        v1::EndReason::Resigned => Some(EndReason::Resigned),
        v1::EndReason::Unspecified
        | v1::EndReason::Abandoned
        | v1::EndReason::NoShow
        | v1::EndReason::Cancelled => None,
    }
}
