//! From a move as the wire carries it to one that can be judged: what T29 calls class U is refused here (T7, T8, T12,
//! T22, T37). Whether it follows the build rules is judged afterwards.

use super::state::State;
use crate::crapette::Pile;
use crate::crapette::attempt::{Destination, WhilePending, destination, source};
use crate::crapette::place::Place;
use crate::refusal::{Reason, Refusal};
use crate::seat::Seat;

/// A move of available cards towards a possible kind of destination.
#[derive(Clone, Copy)]
pub(super) struct Attempt {
    pub(super) from: Place,
    pub(super) to: Destination,
    pub(super) count: usize,
}

impl Attempt {
    pub(super) fn resolve(state: &State, seat: Seat, from: &Pile, to: &Pile, count: u32) -> Result<Attempt, Refusal> {
        let count = count.max(1);
        let from = source(&state.table, seat, from, count, WhilePending::Alone)?;
        let to = destination(seat, from, to)?;
        if let (Place::House(_), Destination::House(_)) = (from, to)
            && state.transfers_left() == 0
        {
            return Err(Refusal::at_limit(Reason::TransfersUsedUp, state.options.max_transfers_per_turn));
        }
        Ok(Attempt { from, to, count: count as usize })
    }
}
