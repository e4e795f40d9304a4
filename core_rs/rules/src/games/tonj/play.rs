//! One command being carried out: events are folded into the state as they come about, so that each step sees what
//! the one before it left. The steps themselves, each cause and effect, are here; what follows from them is `turn.rs`.

use std::ops::ControlFlow;

use smallvec::smallvec;

use super::event::{Cards, Cause, Event, TurnEnd};
use super::evolve;
use super::judgement::Placement;
use super::state::State;
use crate::card::Card;
use crate::crapette::place::Place;
use crate::game::Events;

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

    /// Carries out a legal placement and what it brings about at once.
    pub(super) fn place(&mut self, placement: Placement, cause: Cause) -> Course {
        let seat = self.state.turn;
        let cards = self.cards_of(&placement);
        let turned_up = self.state.table.turned_up_under(placement.from);
        let Placement { from, to, .. } = placement;
        self.emit(Event::CardsMoved { seat, from, to, cards, cause, turned_up });
        self.after_placement(from)
    }

    /// Turns up the top card of the hand (T18).
    pub(super) fn reveal(&mut self, cause: Cause) {
        let seat = self.state.turn;
        if let Some(card) = self.state.table.hands[seat].top() {
            self.emit(Event::CardRevealed { seat, card, cause });
        }
    }

    /// Throws the pending card on its owner's waste, which ends the turn (T19).
    pub(super) fn discard(&mut self, cause: Cause) -> Course {
        if let Some(card) = self.state.table.pending {
            self.throw(card, cause);
        }
        self.end_turn(TurnEnd::Discard)
    }

    pub(super) fn throw(&mut self, card: Card, cause: Cause) {
        let seat = self.state.turn;
        self.emit(Event::CardDiscarded { seat, card, cause });
    }

    fn cards_of(&self, placement: &Placement) -> Cards {
        match placement.from {
            Place::House(slot) => {
                let group = self.state.table.houses[slot].top_cards(placement.count).unwrap_or_default();
                group.iter().copied().take(Cards::new().capacity()).collect()
            }
            single => self.state.table.top(single).into_iter().collect(),
        }
    }
}
