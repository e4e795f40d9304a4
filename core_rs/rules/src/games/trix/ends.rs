//! How deals and matches end, and what follows (X7, X8, X10, X12).

use arrayvec::ArrayVec;

use super::card_set::CardSet;
use super::contract::Contract;
use super::event::Event;
use super::play::Play;
use super::state::{KINGDOM, LAST_DEAL, Phase, State};
use crate::game::EndReason;
use crate::seat::Seat;

impl State {
    /// Whether there is nothing left to play in this deal.
    pub(super) fn is_played_out(&self) -> bool {
        match self.phase {
            Phase::Tricks => self.trick.cards.is_empty() && (self.all_penalties_taken() || self.hands_are_empty()),
            Phase::Layout => self.finished.len() >= 3 || self.hands_are_empty(),
            _ => false,
        }
    }

    /// X8: nothing that is left can cost anything, and the room does not play on for its own sake.
    pub(super) fn all_penalties_taken(&self) -> bool {
        let penalties = self.contract.map_or(CardSet::EMPTY, Contract::penalty_cards);
        !self.options.play_out && !penalties.is_empty() && penalties.is_subset(self.taken.set())
    }

    /// All who share the highest total (X12).
    pub(super) fn leaders(&self) -> ArrayVec<Seat, 4> {
        let totals = self.totals().0;
        let highest = totals.into_iter().max();
        Seat::FOUR.into_iter().zip(totals).filter(|&(_, total)| Some(total) == highest).map(|(seat, _)| seat).collect()
    }

    /// Whose the next deal is (X3).
    pub(super) fn next_owner(&self) -> Seat {
        if self.deal_number.is_multiple_of(KINGDOM) { self.owner.next_of_four() } else { self.owner }
    }

    fn hands_are_empty(&self) -> bool {
        self.hands.0.iter().all(|hand| hand.is_empty())
    }
}

impl Play<'_> {
    pub(super) fn end_deal_if_over(&mut self) {
        if self.state.is_played_out() {
            self.end_deal();
        }
    }

    fn end_deal(&mut self) {
        let points = self.state.final_points().0;
        let mut totals = self.state.totals.0;
        for (total, points) in totals.iter_mut().zip(points) {
            *total = total.saturating_add(points);
        }
        self.emit(Event::DealScored { points, totals });
        let number = self.state.deal_number;
        if number >= LAST_DEAL {
            let winners = self.state.leaders();
            self.emit(Event::MatchEnded { reason: EndReason::PlayedOut, winners, totals });
        } else if self.state.deal.is_some() {
            // A table set up by hand has nothing to deal from.
            let next_owner = self.state.next_owner();
            self.deal(number + 1, next_owner);
        }
    }
}
