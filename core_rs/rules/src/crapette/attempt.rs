//! From a move as the wire carries it to one that names piles that exist and cards that are available; what is not, is
//! refused here (T7, T8, T12, T37; H3, H6, H22). Whether it follows the build rules is `building.rs`.

use super::building::{builds_on, loads_on};
use super::pile::{Pile, PileKind};
use super::place::Place;
use super::slot::Slot;
use super::table::Table;
use crate::card::Card;
use crate::refusal::{Reason, Refusal};
use crate::seat::Seat;

/// What a pending card leaves available of the others.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum WhilePending {
    /// Nothing (T7).
    Alone,
    /// All of them (H3).
    Together,
}

/// Where a move of available cards goes.
#[derive(Clone, Copy)]
pub(crate) enum Destination {
    House(Slot),
    Foundation(Slot),
    /// The lowest-numbered foundation that fits.
    AnyFoundation,
    OpponentReserve,
    OpponentWaste,
}

/// The place that a pile names, if `seat`, on turn, may take `count` cards from it.
pub(crate) fn source(
    table: &Table,
    seat: Seat,
    pile: &Pile,
    count: u32,
    while_pending: WhilePending,
) -> Result<Place, Refusal> {
    let own = pile.seat == u32::from(seat.number());
    let (place, held) = match pile.kind {
        PileKind::Unspecified => return Err(Reason::NoSuchPile.into()),
        PileKind::Waste | PileKind::Foundation => return Err(Reason::NotASource.into()),
        PileKind::Reserve | PileKind::Hand if !own => return Err(Reason::NotASource.into()),
        PileKind::Hand if table.pending.is_none() => return Err(Reason::NothingPending.into()),
        PileKind::Hand => (Place::Hand(seat), 1),
        _ if table.pending.is_some() && while_pending == WhilePending::Alone => {
            return Err(Reason::CardPending.into());
        }
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

/// Where a pile may be gone to from `from`.
pub(crate) fn destination(seat: Seat, from: Place, pile: &Pile) -> Result<Destination, Refusal> {
    let theirs = pile.seat == u32::from(seat.opponent().number());
    match pile.kind {
        PileKind::Reserve if theirs => Ok(Destination::OpponentReserve),
        PileKind::Waste if theirs => Ok(Destination::OpponentWaste),
        PileKind::Reserve | PileKind::Waste | PileKind::Hand => Err(Reason::NotADestination.into()),
        PileKind::House => {
            let slot = pile.index.and_then(Slot::new).ok_or(Reason::NoSuchPile)?;
            if from == Place::House(slot) { Err(Reason::SamePile.into()) } else { Ok(Destination::House(slot)) }
        }
        PileKind::Foundation => match pile.index {
            None => Ok(Destination::AnyFoundation),
            Some(index) => Ok(Destination::Foundation(Slot::new(index).ok_or(Reason::NoSuchPile)?)),
        },
        PileKind::Unspecified => Err(Reason::NoSuchPile.into()),
    }
}

impl Destination {
    /// The place where one card of `seat` comes to lie there, if the build rules allow it (T9–T11; H4–H6).
    pub(crate) fn taking(self, table: &Table, seat: Seat, card: Card) -> Option<Place> {
        let opponent = seat.opponent();
        match self {
            Destination::House(slot) => {
                table.houses[slot].top().is_none_or(|outer| builds_on(card, outer)).then_some(Place::House(slot))
            }
            Destination::Foundation(slot) => {
                table.foundations.fitting(card).has(slot).then_some(Place::Foundation(slot))
            }
            Destination::AnyFoundation => table.foundations.fitting(card).lowest().map(Place::Foundation),
            Destination::OpponentReserve => {
                loads_on(table.reserves[opponent].top()).have(card).then_some(Place::Reserve(opponent))
            }
            Destination::OpponentWaste => {
                loads_on(table.wastes[opponent].top()).have(card).then_some(Place::Waste(opponent))
            }
        }
    }
}

/// Every pile that a move of `seat` could conceivably go to.
pub(crate) fn aims(seat: Seat) -> Vec<Pile> {
    let opponent = seat.opponent();
    let mut aims = vec![Pile::reserve(opponent), Pile::waste(opponent)];
    aims.extend(Slot::ALL.map(Pile::house));
    aims.extend(Slot::ALL.map(Pile::foundation));
    aims
}
