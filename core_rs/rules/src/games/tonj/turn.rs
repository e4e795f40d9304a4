//! The course of a turn: what follows a placement at once, when a turn ends, how the next one starts (T17, T20, T21).

use std::ops::ControlFlow;

use super::duties::Duty;
use super::event::{Event, TurnEnd};
use super::legal;
use super::play::{Course, Play};
use crate::crapette::place::Place;
use crate::seat::Seat;

impl Play<'_> {
    /// What a placement brings about at once: the waste turns over when the last hand card was placed (T20), and a
    /// mover who has got rid of everything wins (T23).
    pub(super) fn after_placement(&mut self, from: Place) -> Course {
        let seat = self.state.turn;
        if matches!(from, Place::Hand(_)) {
            self.recycle(seat);
        }
        if self.state.table.is_rid_of_all(seat) {
            self.win_hand(seat);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// Turns over the waste that lay beside an empty hand while a claim was open. No play leads there, but a position
    /// may; without a hand and without an end of the turn (T21) the offender could not play on.
    pub(super) fn recycle_overdue(&mut self) {
        if self.state.table.pending.is_none() {
            self.recycle(self.state.turn);
        }
    }

    /// Ends the turn if nothing is left to do in it (T21).
    pub(super) fn go_on(&mut self) -> Course {
        if self.nothing_left() { self.end_turn(TurnEnd::NoMove) } else { ControlFlow::Continue(()) }
    }

    /// Ends the turn and starts the opponent's, unless the hand ends in stalemate between them.
    pub(super) fn end_turn(&mut self, by: TurnEnd) -> Course {
        let seat = self.state.turn;
        self.emit(Event::TurnEnded { seat, by });
        if self.is_idle() {
            self.stalemate();
        } else {
            let turn_number = self.state.turn_number.saturating_add(1);
            self.start_turn(seat.opponent(), turn_number);
        }
        ControlFlow::Break(())
    }

    /// T17. A turn in which nothing can be done ends by itself; two of them in a row are a stalemate (T26), so this
    /// comes to rest.
    pub(super) fn start_turn(&mut self, seat: Seat, turn_number: u32) {
        self.emit(Event::TurnStarted { seat, turn_number });
        self.recycle(seat);
        if self.is_third_visit() {
            self.stalemate();
        } else if self.state.table.is_rid_of_all(seat) {
            self.win_hand(seat);
        } else {
            // Whether the new turn still runs is nothing to the command that ended the old one.
            let _ = self.go_on();
        }
    }

    fn recycle(&mut self, seat: Seat) {
        let (hand, waste) = (&self.state.table.hands[seat], &self.state.table.wastes[seat]);
        if hand.is_empty() && !waste.is_empty() {
            let count = waste.len() as u32;
            self.emit(Event::WasteRecycled { seat, count });
        }
    }

    /// Whether the turn ends by itself (T21).
    fn nothing_left(&self) -> bool {
        let (state, seat) = (&*self.state, self.state.turn);
        let table = &state.table;
        table.pending.is_none()
            && table.hands[seat].is_empty()
            && table.wastes[seat].is_empty()
            && Duty::of(table, seat) == Duty::Clear
            && !legal::can_place(state, seat)
    }
}
