//! What the server does for a seat that does not act (X3, X14): always the same, so that a log can be checked.

use super::action::Action;
use super::card_set::height;
use super::event::Event;
use super::legal;
use super::play::Play;
use super::state::{Phase, State};
use crate::card::{Card, Rank};
use crate::game::ClockKind;

impl Play<'_> {
    /// Lets the clock of the seat on turn run out.
    pub(super) fn time_out(&mut self, clock: ClockKind) {
        if let Some(seat) = self.state.on_turn() {
            self.emit(Event::TimedOut { seat, clock });
            self.act_for_absent();
        }
    }

    /// Acts for the seat on turn. It stays away, if it was.
    pub(super) fn act_for_absent(&mut self) {
        if let (Some(seat), Some(action)) = (self.state.on_turn(), default_action(self.state)) {
            self.act(seat, &action);
        }
    }
}

/// The first unplayed contract; in tricks the lowest card by rank, then suit; in the layout the card nearest its jack,
/// then by suit, in one suit the lower one, or the pass.
fn default_action(state: &State) -> Option<Action> {
    let cards = legal::cards(state).iter();
    match state.phase {
        Phase::Choosing => legal::contracts(state).next().map(Action::ChooseContract),
        // Cards come by suit, in each suit from the lowest; the first of equals is taken.
        Phase::Tricks => cards.min_by_key(|card| height(card.rank())).map(Action::PlayCard),
        Phase::Layout => Some(cards.min_by_key(|&card| from_jack(card)).map_or(Action::Pass, Action::PlayCard)),
        _ => None,
    }
}

fn from_jack(card: Card) -> u8 {
    height(card.rank()).abs_diff(height(Rank::JACK))
}
