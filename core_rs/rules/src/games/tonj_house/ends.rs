//! How matches end: winning, a block, the last turn, resigning (H14, H15, H17, H25), each settled once (H20).

use super::event::Event;
use super::play::Play;
use super::scene::can_progress;
use super::state::State;
use crate::game::EndReason;
use crate::seat::Seat;

impl State {
    /// Two passes in a row, and nobody can do anything but move cards from house to house (H15).
    pub(super) fn is_blocked(&self) -> bool {
        self.passes >= 2 && ![Seat::ZERO, Seat::ONE].into_iter().any(|seat| can_progress(&self.table, seat))
    }
}

impl Play<'_> {
    /// A draw (H15).
    pub(super) fn draw_by_block(&mut self) {
        self.end_match(EndReason::Stalemate, None);
    }

    /// The last turn has ended: fewer personal cards win, equal ones are a draw (H17).
    pub(super) fn count_cards(&mut self) {
        let [zero, one] = self.state.personal_cards();
        let winner = match zero.cmp(&one) {
            std::cmp::Ordering::Less => Some(Seat::ZERO),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(Seat::ONE),
        };
        self.end_match(EndReason::TurnLimit, winner);
    }

    /// Who resigns loses (H20).
    pub(super) fn resign(&mut self, seat: Seat) {
        self.emit(Event::Resigned { seat });
        self.end_match(EndReason::Resigned, Some(seat.opponent()));
    }

    pub(super) fn end_match(&mut self, reason: EndReason, winner: Option<Seat>) {
        let (cards, settlement) = (self.state.personal_cards(), self.state.settlement(winner));
        self.emit(Event::MatchEnded { reason, winner, cards, settlement });
    }
}
