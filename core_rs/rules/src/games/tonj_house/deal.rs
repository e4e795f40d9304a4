//! Who starts (H2), and the table right after the deal.

use super::event::Event;
use super::options::Options;
use super::play::Play;
use super::state::State;
use crate::crapette::table::{Table, ace_high};
use crate::deck::DealSource;
use crate::position::{Fault, Given};
use crate::seat::Seat;

/// Who starts, and whether by lot: the higher Tonj top, the ace above the king; suits are not compared (H2).
pub(super) fn starter(deal: &DealSource, table: &Table) -> (Seat, bool) {
    let standing = |seat: Seat| table.reserves[seat].top().map(ace_high);
    match standing(Seat::ZERO).cmp(&standing(Seat::ONE)) {
        std::cmp::Ordering::Greater => (Seat::ZERO, false),
        std::cmp::Ordering::Less => (Seat::ONE, false),
        std::cmp::Ordering::Equal => (if deal.draw_of_two(1, 2) { Seat::ONE } else { Seat::ZERO }, true),
    }
}

/// The table right after the deal: a match has one.
pub(super) fn after_deal(deal: DealSource, number: u32) -> Result<(State, Given), Fault> {
    if number != 1 {
        return Err(Fault("a match of the house edition has one deal, number 1".into()));
    }
    let (starter, drawn) = starter(&deal, &Table::dealt(&deal, 1));
    let given = Given::dealt(&deal);
    let mut state = State::new(Options::default(), Some(deal)).map_err(|fault| Fault(fault.to_string()))?;
    let mut play = Play::on(&mut state);
    play.emit(Event::Dealt { starter, drawn });
    play.start_turn(starter, 1);
    Ok((state, given))
}
