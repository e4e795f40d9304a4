//! The table as one seat looks for placements on it: which cards it may move (H3), where each fits (H4–H6), and
//! whether a foundation waits for one of them (H8). The opened card is that seat's, if there is one.

use crate::card::Card;
use crate::crapette::Place;
use crate::crapette::building::{Houses, loads_on};
use crate::crapette::slot::Slot;
use crate::crapette::stack::Stack;
use crate::crapette::table::Table;
use crate::seat::Seat;

/// One card from one place to another, as the build rules allow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Placement {
    pub(super) from: Place,
    pub(super) to: Place,
}

/// Whether a source card of `seat` fits a foundation (H8).
pub(super) fn owes_foundation(table: &Table, seat: Seat) -> bool {
    let own = [table.reserves[seat].top(), table.pending].into_iter().flatten();
    own.chain(table.houses.0.iter().filter_map(Stack::top)).any(|card| table.foundations.take(card))
}

/// What the server plays of the duties: Tonj top first, then the opened card, then the lowest house, to the
/// lowest-numbered foundation (H18).
pub(super) fn first_duty(table: &Table, seat: Seat) -> Option<Placement> {
    let lowest = |(from, card)| {
        let slot = table.foundations.fitting(card).lowest()?;
        Some(Placement { from, to: Place::Foundation(slot) })
    };
    sources(table, seat).find_map(lowest)
}

/// Every placement of `seat` on a foundation: while there is one, nothing else is allowed (H8).
pub(super) fn each_duty(table: &Table, seat: Seat, found: &mut impl FnMut(Placement)) {
    for (from, card) in sources(table, seat) {
        if table.foundations.take(card) {
            let slots = table.foundations.fitting(card);
            slots.each().for_each(|slot| found(Placement { from, to: Place::Foundation(slot) }));
        }
    }
}

/// Every other placement that the build rules allow; for each source houses before loads.
pub(super) fn each_elsewhere(table: &Table, seat: Seat, found: &mut impl FnMut(Placement)) {
    let houses = Houses::of(&table.houses);
    let opponent = seat.opponent();
    let loads = [Place::Reserve(opponent), Place::Waste(opponent)].map(|pile| (pile, loads_on(table.top(pile))));
    for (from, card) in sources(table, seat) {
        let slots = houses.taking(card).or(houses.empty);
        slots.each().for_each(|slot| found(Placement { from, to: Place::House(slot) }));
        let fitting = loads.iter().filter(|(_, faces)| faces.have(card));
        fitting.for_each(|&(to, _)| found(Placement { from, to }));
    }
}

/// Whether `seat` can move anything but from house to house (H15).
pub(super) fn can_progress(table: &Table, seat: Seat) -> bool {
    let mut found = owes_foundation(table, seat);
    each_elsewhere(table, seat, &mut |placement| {
        found |= !matches!((placement.from, placement.to), (Place::House(_), Place::House(_)));
    });
    found
}

/// Whether `seat` can place any card.
pub(super) fn can_place(table: &Table, seat: Seat) -> bool {
    let mut found = owes_foundation(table, seat);
    each_elsewhere(table, seat, &mut |_| found = true);
    found
}

/// The cards that `seat` may move, its own before the houses' (H3).
fn sources(table: &Table, seat: Seat) -> impl Iterator<Item = (Place, Card)> {
    let reserve = table.reserves[seat].top().map(|card| (Place::Reserve(seat), card));
    let opened = table.pending.map(|card| (Place::Hand(seat), card));
    let houses = Slot::ALL.into_iter().filter_map(|slot| Some((Place::House(slot), table.houses[slot].top()?)));
    reserve.into_iter().chain(opened).chain(houses)
}
