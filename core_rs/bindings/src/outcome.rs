//! How matches end, to and from the wire.

use majlis_rules::{game::EndReason, seat::Seat, settlement::Settlement};

use crate::wire::v1;

/// An outcome: all of it is public.
pub(crate) fn write(reason: EndReason, winners: &[Seat], totals: impl IntoIterator<Item = i32>) -> v1::Outcome {
    v1::Outcome {
        reason: write_reason(reason) as i32,
        winner_seats: winners.iter().map(|seat| seat.number().into()).collect(),
        totals: totals.into_iter().collect(),
        settlement: None,
        cards_left: Vec::new(),
    }
}

/// How a match ends that never started; it refunds the fees that were taken, where there are any.
pub(crate) fn write_void(reason: v1::EndReason, settlement: Option<v1::Settlement>) -> v1::Outcome {
    v1::Outcome { reason: reason as i32, settlement, ..Default::default() }
}

/// Whether an outcome is that of a match that never started.
pub(crate) fn is_void(outcome: &v1::Outcome) -> bool {
    matches!(outcome.reason(), v1::EndReason::Cancelled | v1::EndReason::NoShow)
}

/// What a staked match pays.
pub(crate) fn write_settlement(settlement: &Settlement) -> v1::Settlement {
    // Fees are bounded so that a pot is far below what a number on the wire can hold.
    let minor = |amount: u64| u32::try_from(amount).unwrap_or(u32::MAX);
    v1::Settlement {
        entry_fee_minor: settlement.entry_fee_minor,
        pot_minor: minor(settlement.pot_minor),
        rake_minor: minor(settlement.rake_minor),
        payout_minor: settlement.payout_minor.map(minor).to_vec(),
    }
}

/// A settlement read back; `None` if it is none of two seats.
pub(crate) fn read_settlement(settlement: &v1::Settlement) -> Option<Settlement> {
    let payout_minor: [u32; 2] = settlement.payout_minor.as_slice().try_into().ok()?;
    Some(Settlement {
        entry_fee_minor: settlement.entry_fee_minor,
        pot_minor: settlement.pot_minor.into(),
        rake_minor: settlement.rake_minor.into(),
        payout_minor: payout_minor.map(u64::from),
    })
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
        v1::EndReason::Unspecified | v1::EndReason::Abandoned | v1::EndReason::NoShow | v1::EndReason::Cancelled => {
            None
        }
    }
}
