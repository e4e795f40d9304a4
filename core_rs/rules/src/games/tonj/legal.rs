//! Every legal move of the seat on turn (T44). It must say exactly what `judgement.rs` accepts; the tests hold the two
//! against each other.

use super::action::Action;
use super::duties::Duty;
use super::group::longest_group;
use super::judgement::Placement;
use super::state::{Phase, State};
use crate::card::Card;
use crate::crapette::Pile;
use crate::crapette::building::{Houses, builds_on, loads_on};
use crate::crapette::faces::Faces;
use crate::crapette::place::Place;
use crate::crapette::slot::{Slot, Slots};
use crate::crapette::table::Table;
use crate::seat::Seat;

/// Writes every action that would be accepted from `seat` over what `actions` held: none while a claim is open, and
/// never resigning.
pub(super) fn legal_actions(state: &State, seat: Seat, actions: &mut Vec<Action>) {
    actions.clear();
    if state.phase != Phase::Playing || state.claim.is_some() || state.turn != seat {
        return;
    }
    let table = &state.table;
    let scene = Scene::of(state, seat);
    scene.each_placement(&mut |placement| actions.push(placement.into()));
    if table.pending.is_some() {
        // What fits nowhere is discarded (T19). A pending card that owes P3 has not been revealed lawfully, and is.
        if actions.is_empty() {
            actions.push(Action::Discard);
        }
    } else if scene.duty == Duty::Clear {
        if !table.hands[seat].is_empty() {
            actions.push(Action::Reveal);
        } else if table.wastes[seat].is_empty() {
            actions.push(Action::EndTurn);
        }
    }
}

/// Whether `seat`, on turn, has any legal placement.
pub(super) fn can_place(state: &State, seat: Seat) -> bool {
    let mut found = false;
    Scene::of(state, seat).each_placement(&mut |_| found = true);
    found
}

/// Where the pending card goes when the clock has run out: the first of its legal placements on a house, the
/// opponent's reserve, his waste (T34).
pub(super) fn first_for_pending(state: &State, seat: Seat) -> Option<Placement> {
    let mut first = None;
    Scene::of(state, seat).each_placement(&mut |placement| {
        first.get_or_insert(placement);
    });
    first
}

/// The table as one seat looks for moves on it.
struct Scene<'a> {
    table: &'a Table,
    seat: Seat,
    houses: Houses,
    duty: Duty,
    may_transfer: bool,
    /// What may be loaded on the opponent's reserve and on his waste.
    reserve_loads: Faces,
    waste_loads: Faces,
}

impl<'a> Scene<'a> {
    fn of(state: &'a State, seat: Seat) -> Scene<'a> {
        let table = &state.table;
        let houses = Houses::of(&table.houses);
        let duty = Duty::of(table, seat);
        let opponent = seat.opponent();
        Scene {
            table,
            seat,
            houses,
            duty,
            may_transfer: state.transfers_left() > 0,
            reserve_loads: loads_on(table.reserves[opponent].top()),
            waste_loads: loads_on(table.wastes[opponent].top()),
        }
    }

    /// Foundations first, then for each source, reserve before houses: houses, loads, groups.
    fn each_placement(&self, found: &mut impl FnMut(Placement)) {
        match self.duty {
            Duty::Reserve(slots) => to_foundations(Place::Reserve(self.seat), slots, found),
            Duty::Foundation => self.each_single(&mut |from, card| {
                if self.table.foundations.take(card) {
                    to_foundations(from, self.table.foundations.fitting(card), found);
                }
            }),
            Duty::Fill(_) | Duty::Clear => {
                self.each_single(&mut |from, card| self.elsewhere(from, card, found));
                // Without an empty house there are no groups at all.
                if self.may_transfer && self.table.pending.is_none() && !self.houses.empty.is_empty() {
                    Slot::ALL.into_iter().for_each(|slot| self.groups(slot, found));
                }
            }
        }
    }

    /// The available cards (T7).
    fn each_single(&self, found: &mut impl FnMut(Place, Card)) {
        if let Some(pending) = self.table.pending {
            return found(Place::Hand(self.seat), pending);
        }
        if let Some(card) = self.table.reserves[self.seat].top() {
            found(Place::Reserve(self.seat), card);
        }
        for slot in Slot::ALL {
            if let Some(card) = self.table.houses[slot].top() {
                found(Place::House(slot), card);
            }
        }
    }

    /// One card to houses and as a load.
    fn elsewhere(&self, from: Place, card: Card, found: &mut impl FnMut(Placement)) {
        let mut to = |to| found(Placement { from, to, count: 1 });
        let from_house = matches!(from, Place::House(_));
        if self.may_transfer || !from_house {
            let fitting = self.houses.taking(card).or(self.empties_for(from));
            fitting.each().for_each(|slot| to(Place::House(slot)));
        }
        let opponent = self.seat.opponent();
        if self.reserve_loads.have(card) {
            to(Place::Reserve(opponent));
        }
        if self.waste_loads.have(card) {
            to(Place::Waste(opponent));
        }
    }

    /// The empty houses that a card from there may fill (T15).
    fn empties_for(&self, from: Place) -> Slots {
        match self.duty {
            Duty::Fill(_) if !matches!(from, Place::Reserve(_)) => Slots::NONE,
            _ => self.houses.empty,
        }
    }

    /// The groups of two and more that may leave one house (T13).
    fn groups(&self, slot: Slot, found: &mut impl FnMut(Placement)) {
        let from = Place::House(slot);
        let house = self.table.houses[slot].cards();
        let empties = self.empties_for(from);
        let longest = longest_group(self.houses.empty, false).min(house.len());
        let pairs = house.iter().rev().zip(house.iter().rev().skip(1));
        for (count, (&outer, &inner)) in (2..=longest).zip(pairs) {
            if !builds_on(outer, inner) {
                break;
            }
            let mut targets = self.houses.taking(inner);
            if count <= longest_group(self.houses.empty, true) {
                targets = targets.or(empties);
            }
            targets.each().for_each(|to| found(Placement { from, to: Place::House(to), count }));
        }
    }
}

fn to_foundations(from: Place, slots: Slots, found: &mut impl FnMut(Placement)) {
    slots.each().for_each(|slot| found(Placement { from, to: Place::Foundation(slot), count: 1 }));
}

impl From<Placement> for Action {
    /// The count is left out for one card (T44).
    fn from(placement: Placement) -> Action {
        let count = if placement.count == 1 { 0 } else { placement.count as u32 };
        Action::Move { from: Pile::from(placement.from), to: Pile::from(placement.to), count }
    }
}
