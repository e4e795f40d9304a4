//! One command being carried out: events are folded into the state as they come about, so that each step sees what the
//! one before it left. How deals and matches end is `ends.rs`.

use smallvec::smallvec;

use super::action::Action;
use super::card_set::CardSet;
use super::event::Event;
use super::evolve;
use super::legal;
use super::state::{KINGDOM, State};
use crate::card::Card;
use crate::game::Events;
use crate::seat::Seat;

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

    /// Carries out a command that was found to be allowed.
    pub(super) fn carry_out(&mut self, seat: Seat, action: &Action) {
        // An answer ends no absence: the clocks would tell that it was given (X5).
        if self.state.away[seat] && !matches!(action, Action::AnswerDouble(_)) {
            self.emit(Event::Returned { seat });
        }
        self.act(seat, action);
    }

    /// What a seat does, whoever decided it.
    pub(super) fn act(&mut self, seat: Seat, action: &Action) {
        match *action {
            Action::ChooseContract(contract) => {
                self.emit(Event::ContractChosen { contract });
                self.end_deal_if_over();
            }
            Action::AnswerDouble(named) => {
                self.emit(Event::DoubleAnswered { seat, cards: named.cards });
                if self.state.first_asked().is_none() {
                    self.show_doubles();
                }
            }
            Action::PlayCard(card) => self.play_card(seat, card),
            Action::Pass => self.emit(Event::Passed { seat }),
        }
    }

    /// Closes the doubling window; an unanswered question is answered with none (X4).
    pub(super) fn show_doubles(&mut self) {
        let doubled = self.state.answers.0.map(|answer| answer.unwrap_or(CardSet::EMPTY));
        self.emit(Event::DoublesShown { doubled });
        self.end_deal_if_over();
    }

    fn play_card(&mut self, seat: Seat, card: Card) {
        self.emit(Event::CardPlayed { seat, card });
        if self.state.trick.is_full() {
            let seat = self.state.trick.taker();
            self.emit(Event::TrickTaken { seat });
        }
        self.end_deal_if_over();
    }

    /// Deals, and starts the kingdom's fifth contract (X3).
    pub(super) fn deal(&mut self, deal_number: u32, owner: Seat) {
        self.emit(Event::Dealt { deal_number, owner });
        if self.state.played.len() as u32 == KINGDOM - 1 {
            let last = legal::contracts(self.state).next();
            if let Some(contract) = last {
                self.emit(Event::ContractChosen { contract });
            }
        }
    }
}
