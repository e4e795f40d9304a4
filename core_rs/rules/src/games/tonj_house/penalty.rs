//! What a cancelled attempt costs (H9, H10, H21): whose cards, how many, and how they come to lie.

use super::action::Action;
use super::event::{Event, TurnEnd};
use super::options::PenaltySource;
use super::play::{Course, Play};
use super::state::State;
use crate::card::Card;
use crate::crapette::table::Table;
use crate::seat::Seat;

/// The cards that a penalty takes.
#[derive(Clone, Copy)]
pub(super) struct Levy {
    /// Whose they are.
    pub(super) source: Seat,
    /// The next ones of that stock.
    pub(super) from_stock: u32,
    /// Then the oldest ones of that waste.
    pub(super) from_waste: u32,
}

impl Levy {
    /// What `offender`, on turn, owes. The opponent keeps at least one personal card (H10); from one's own stock all
    /// may be taken, the opened card just thrown included (H21, H27).
    fn of(state: &State, offender: Seat) -> Levy {
        let table = &state.table;
        let (source, most, thrown) = match state.options.penalty_source {
            PenaltySource::OpponentStock => {
                let opponent = offender.opponent();
                (opponent, table.personal(opponent).saturating_sub(1), 0)
            }
            PenaltySource::OwnStock => (offender, u32::MAX, u32::from(table.pending.is_some())),
        };
        let owed = most.min(state.penalty_cards());
        let from_stock = owed.min(table.hands[source].len() as u32);
        let from_waste = (owed - from_stock).min(table.wastes[source].len() as u32 + thrown);
        Levy { source, from_stock, from_waste }
    }

    /// Throws the opened card, takes the cards and slides them under the offender's Tonj pile, the first one highest.
    pub(super) fn take(self, table: &mut Table, offender: Seat) {
        table.throw_pending(offender);
        let stock = (0..self.from_stock).map_while(|_| table.hands[self.source].pop());
        let mut taken: Vec<Card> = stock.collect();
        taken.extend(table.wastes[self.source].take_from_bottom(self.from_waste as usize).cards());
        table.reserves[offender].slide_under(taken.into_iter());
    }

    /// The penalty card that turns up, if the offender's Tonj pile is empty (H10).
    pub(super) fn turned_up(self, table: &Table, offender: Seat) -> Option<Card> {
        if !table.reserves[offender].is_empty() {
            return None;
        }
        let mut after = table.clone();
        self.take(&mut after, offender);
        after.reserves[offender].top()
    }
}

impl Play<'_> {
    /// Cancels an attempt for a neglected duty, which ends the turn (H9).
    pub(super) fn penalise(&mut self, attempt: Action) -> Course {
        let seat = self.state.turn;
        let levy = Levy::of(self.state, seat);
        let Levy { source, from_stock, from_waste } = levy;
        let (returned, turned_up) = (self.state.table.pending, levy.turned_up(&self.state.table, seat));
        self.emit(Event::Penalised { seat, attempt, returned, source, from_stock, from_waste, turned_up });
        self.end_turn(TurnEnd::Penalty)
    }
}
