//! The table as one seat looks for placements on it: which cards it may move (H3), where each fits (H4–H6), and
//! whether a foundation waits for one of them (H8). The opened card is that seat's, if there is one.

use crate::card::Card;
use crate::crapette::Place;
use crate::crapette::building::{Houses, loads_on};
use crate::crapette::faces::Faces;
use crate::crapette::slot::{Slot, Slots};
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

/// Every placement of `seat` that H8 leaves: those to foundations while there is one, else all others; for each source
/// houses before loads.
pub(super) fn each_placement(table: &Table, seat: Seat, found: &mut impl FnMut(Placement)) {
    if owes_foundation(table, seat) {
        for (from, card) in sources(table, seat) {
            if table.foundations.take(card) {
                let slots = table.foundations.fitting(card);
                slots.each().for_each(|slot| found(Placement { from, to: Place::Foundation(slot) }));
            }
        }
        return;
    }
    let elsewhere = Elsewhere::of(table, seat.opponent());
    sources(table, seat).for_each(|(from, card)| elsewhere.each(from, card, found));
}

/// Whether `seat` can move anything but from house to house (H15).
pub(super) fn can_progress(table: &Table, seat: Seat) -> bool {
    let mut found = false;
    each_placement(table, seat, &mut |placement| {
        found |= !matches!((placement.from, placement.to), (Place::House(_), Place::House(_)));
    });
    found
}

/// Whether `seat` can place any card.
pub(super) fn can_place(table: &Table, seat: Seat) -> bool {
    let mut found = false;
    each_placement(table, seat, &mut |_| found = true);
    found
}

/// The cards that `seat` may move, its own before the houses' (H3).
fn sources(table: &Table, seat: Seat) -> impl Iterator<Item = (Place, Card)> {
    let reserve = table.reserves[seat].top().map(|card| (Place::Reserve(seat), card));
    let opened = table.pending.map(|card| (Place::Hand(seat), card));
    let houses = Slot::ALL.into_iter().filter_map(|slot| Some((Place::House(slot), table.houses[slot].top()?)));
    reserve.into_iter().chain(opened).chain(houses)
}

/// What takes cards besides foundations, looked up for many cards at once.
struct Elsewhere {
    houses: Houses,
    opponent: Seat,
    reserve_loads: Faces,
    waste_loads: Faces,
}

impl Elsewhere {
    fn of(table: &Table, opponent: Seat) -> Elsewhere {
        Elsewhere {
            houses: Houses::of(&table.houses),
            opponent,
            reserve_loads: loads_on(table.reserves[opponent].top()),
            waste_loads: loads_on(table.wastes[opponent].top()),
        }
    }

    fn each(&self, from: Place, card: Card, found: &mut impl FnMut(Placement)) {
        let mut to = |to| found(Placement { from, to });
        let slots: Slots = self.houses.taking(card).or(self.houses.empty);
        slots.each().for_each(|slot| to(Place::House(slot)));
        if self.reserve_loads.have(card) {
            to(Place::Reserve(self.opponent));
        }
        if self.waste_loads.have(card) {
            to(Place::Waste(self.opponent));
        }
    }
}
