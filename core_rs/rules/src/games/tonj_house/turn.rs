//! The course of a turn: how it starts, what opens, when it is over by itself, how it ends (H2, H7, H13).

use std::ops::ControlFlow;

use super::event::{Cause, Event, TurnEnd};
use super::judgement::may_pass;
use super::play::{Course, Play};
use super::scene::can_place;
use super::state::State;
use crate::seat::Seat;

/// Whether nothing can be done in the running turn but to pass, so that it passes by itself (H13).
pub(super) fn only_passes(state: &State) -> bool {
    may_pass(&state.table, state.turn).is_ok() && !can_place(&state.table, state.turn)
}

impl Play<'_> {
    /// Starts a turn: its first card opens. Two turns that pass by themselves are a block (H15), so this comes to rest.
    pub(super) fn start_turn(&mut self, seat: Seat, turn_number: u32) {
        self.emit(Event::TurnStarted { seat, turn_number });
        self.open(seat);
        // Whether the new turn still runs is nothing to the command that ended the old one.
        let _ = self.go_on();
    }

    /// Opens the top stock card; an empty stock takes the waste, turned over, first (H7).
    pub(super) fn open(&mut self, seat: Seat) {
        let table = &self.state.table;
        let count = table.wastes[seat].len() as u32;
        if table.hands[seat].is_empty() && count > 0 {
            self.emit(Event::WasteTurned { seat, count });
        }
        if let Some(card) = self.state.table.hands[seat].top() {
            self.emit(Event::CardOpened { seat, card });
        }
    }

    /// Passes if nothing else can be done (H13).
    pub(super) fn go_on(&mut self) -> Course {
        if only_passes(self.state) { self.pass(Cause::Rule) } else { ControlFlow::Continue(()) }
    }

    /// Ends the turn and starts the opponent's, unless the match ends between them: a block before the count (H23).
    pub(super) fn end_turn(&mut self, by: TurnEnd) -> Course {
        let (seat, turn_number) = (self.state.turn, self.state.turn_number);
        self.emit(Event::TurnEnded { seat, by });
        if self.state.is_blocked() {
            self.draw_by_block();
        } else if turn_number >= self.state.options.max_turns {
            self.count_cards();
        } else {
            self.start_turn(seat.opponent(), turn_number + 1);
        }
        ControlFlow::Break(())
    }
}
