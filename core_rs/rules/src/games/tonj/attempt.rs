//! From a move as the wire carries it to one that names piles that exist and cards that are available: what T29 calls
//! class U is refused here (T7, T8, T12, T22, T37). Whether it follows the build rules is judged afterwards.

use super::action::{Pile, PileKind};
use super::place::Place;
use super::slot::Slot;
use super::state::State;
use crate::refusal::{Reason, Refusal};
use crate::seat::Seat;

/// A move of available cards towards a possible kind of destination.
#[derive(Clone, Copy)]
pub(super) struct Attempt {
    pub(super) from: Place,
    pub(super) to: Destination,
    pub(super) count: usize,
}

/// Where an attempt goes.
#[derive(Clone, Copy)]
pub(super) enum Destination {
    House(Slot),
    Foundation(Slot),
    /// The lowest-numbered foundation that fits.
    AnyFoundation,
    OpponentReserve,
    OpponentWaste,
}

impl Attempt {
    pub(super) fn resolve(state: &State, seat: Seat, from: &Pile, to: &Pile, count: u32) -> Result<Attempt, Refusal> {
        let count = count.max(1);
        let from = source(state, seat, from, count)?;
        let to = destination(seat, to)?;
        if let (Place::House(source), Destination::House(target)) = (from, to) {
            if source == target {
                return Err(Reason::SamePile.into());
            }
            if state.transfers_left() == 0 {
                return Err(Refusal::at_limit(Reason::TransfersUsedUp, state.options.max_transfers_per_turn));
            }
        }
        Ok(Attempt { from, to, count: count as usize })
    }
}

fn source(state: &State, seat: Seat, pile: &Pile, count: u32) -> Result<Place, Refusal> {
    let table = &state.table;
    let own = pile.seat == u32::from(seat.number());
    let (place, held) = match pile.kind {
        PileKind::Unspecified => return Err(Reason::NoSuchPile.into()),
        PileKind::Waste | PileKind::Foundation => return Err(Reason::NotASource.into()),
        PileKind::Reserve | PileKind::Hand if !own => return Err(Reason::NotASource.into()),
        PileKind::Hand if table.pending.is_none() => return Err(Reason::NothingPending.into()),
        PileKind::Hand => (Place::Hand(seat), 1),
        _ if table.pending.is_some() => return Err(Reason::CardPending.into()),
        PileKind::Reserve => (Place::Reserve(seat), table.reserves[seat].len().min(1)),
        PileKind::House => {
            let slot = pile.index.and_then(Slot::new).ok_or(Reason::NoSuchPile)?;
            (Place::House(slot), table.houses[slot].len())
        }
    };
    if held == 0 {
        Err(Reason::PileEmpty.into())
    } else if count as usize > held {
        Err(Refusal::at_limit(Reason::CountTooHigh, held as u32))
    } else {
        Ok(place)
    }
}

fn destination(seat: Seat, pile: &Pile) -> Result<Destination, Refusal> {
    let theirs = pile.seat == u32::from(seat.opponent().number());
    match pile.kind {
        PileKind::Reserve if theirs => Ok(Destination::OpponentReserve),
        PileKind::Waste if theirs => Ok(Destination::OpponentWaste),
        PileKind::Reserve | PileKind::Waste | PileKind::Hand => Err(Reason::NotADestination.into()),
        PileKind::House => {
            let slot = pile.index.and_then(Slot::new).ok_or(Reason::NoSuchPile)?;
            Ok(Destination::House(slot))
        }
        PileKind::Foundation => match pile.index {
            None => Ok(Destination::AnyFoundation),
            Some(index) => Ok(Destination::Foundation(Slot::new(index).ok_or(Reason::NoSuchPile)?)),
        },
        PileKind::Unspecified => Err(Reason::NoSuchPile.into()),
    }
}
