//! One command being carried out: events are folded into the state as they come about, so that each step sees what
//! the one before it left. What may be done is judged before; a penalty is `penalty.rs`, the course of a turn `turn.rs`.

use std::ops::ControlFlow;

use smallvec::smallvec;

use super::event::{Cause, Event, TurnEnd};
use super::evolve;
use super::scene::Placement;
use super::state::State;
use crate::card::Rank;
use crate::crapette::Place;
use crate::game::{EndReason, Events};

/// Whether the turn in which something was done still runs. A command that ends it has also started the next one.
pub(super) type Course = ControlFlow<()>;

/// A command in the middle of it.
pub(super) struct Play<'a> {
    pub(super) state: &'a mut State,
    pub(super) events: Events<Event>,
}

impl Play<'_> {
    pub(super) fn on(state: &mut State) -> Play<'_> {
        Play { state, events: smallvec![] }
    }

    /// Lets a fact come about.
    pub(super) fn emit(&mut self, event: Event) {
        evolve::apply(self.state, &event);
        self.events.push(event);
    }

    /// Carries out a placement and what it brings about at once: a completed foundation leaves play (H4), a mover who
    /// has got rid of everything wins (H14), the last placement of a turn ends it (H16, H24), and the next card opens
    /// in the place of one that was opened (H7).
    pub(super) fn place(&mut self, placement: Placement, cause: Cause) -> Course {
        let seat = self.state.turn;
        let Placement { from, to } = placement;
        let Some(card) = self.state.table.top(from) else { return ControlFlow::Continue(()) };
        let turned_up = self.state.table.turned_up_under(from);
        self.emit(Event::CardMoved { seat, from, to, card, cause, turned_up });
        if let Place::Foundation(slot) = to
            && card.rank() == Rank::KING
        {
            self.emit(Event::FoundationRetired { slot, suit: card.suit() });
        }
        if self.state.table.is_rid_of_all(seat) {
            self.end_match(EndReason::PlayedOut, Some(seat));
            return ControlFlow::Break(());
        }
        if self.state.moves_left() == 0 {
            self.throw(Cause::Rule);
            return self.end_turn(TurnEnd::MoveLimit);
        }
        if let Place::Hand(_) = from {
            self.open(seat);
        }
        self.go_on()
    }

    /// Throws the opened card, which ends the turn (H12).
    pub(super) fn discard(&mut self, cause: Cause) -> Course {
        self.throw(cause);
        self.end_turn(TurnEnd::Discard)
    }

    /// Passes, which ends the turn (H13).
    pub(super) fn pass(&mut self, cause: Cause) -> Course {
        let seat = self.state.turn;
        self.emit(Event::Passed { seat, cause });
        self.end_turn(TurnEnd::Pass)
    }

    /// The opened card, if there is one, goes to its owner's waste.
    fn throw(&mut self, cause: Cause) {
        let seat = self.state.turn;
        if let Some(card) = self.state.table.pending {
            self.emit(Event::CardDiscarded { seat, card, cause });
        }
    }
}
