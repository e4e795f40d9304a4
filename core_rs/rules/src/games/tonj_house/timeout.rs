//! What the server plays for a seat whose turn clock ran out (H18): its duties, then the discard, or the pass. It never
//! brings a penalty.

use super::event::{Cause, Event};
use super::play::{Course, Play};
use super::scene::first_duty;
use crate::game::ClockKind;

impl Play<'_> {
    /// Lets the turn clock run out.
    pub(super) fn time_out(&mut self) -> Course {
        let seat = self.state.turn;
        self.emit(Event::TimedOut { seat, clock: ClockKind::Turn });
        // Foundations only grow, and a turn has only so many placements (H16): this ends.
        while let Some(placement) = first_duty(&self.state.table, seat) {
            self.place(placement, Cause::Clock)?;
        }
        match self.state.table.pending {
            Some(_) => self.discard(Cause::Clock),
            None => self.pass(Cause::Clock),
        }
    }
}
