//! How hands and matches end: winning, stalemate, scores, and the hands of a series (T23–T28).

use arrayvec::ArrayVec;

use super::event::Event;
use super::play::Play;
use crate::crapette::table::Table;
use crate::game::EndReason;
use crate::seat::Seat;

/// What getting rid of everything earns besides the opponent's burden (T23).
const BONUS: u32 = 30;

/// What counts against a seat: hand + waste + 2 × reserve (T24).
pub(super) fn burden(table: &Table, seat: Seat) -> u32 {
    (table.hands[seat].len() + table.wastes[seat].len() + 2 * table.reserves[seat].len()) as u32
}

impl Play<'_> {
    /// T23.
    pub(super) fn win_hand(&mut self, winner: Seat) {
        let points = BONUS + burden(&self.state.table, winner.opponent());
        self.end_hand(EndReason::PlayedOut, Some(winner), points);
    }

    /// T24: the lower burden wins the difference.
    pub(super) fn stalemate(&mut self) {
        let [zero, one] = self.burdens();
        let winner = match zero.cmp(&one) {
            std::cmp::Ordering::Less => Some(Seat::ZERO),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(Seat::ONE),
        };
        self.end_hand(EndReason::Stalemate, winner, zero.abs_diff(one));
    }

    /// T26, asked when a turn has ended: each player has been through his hand and waste since the last progress.
    pub(super) fn is_idle(&self) -> bool {
        let table = &self.state.table;
        [Seat::ZERO, Seat::ONE].into_iter().all(|seat| {
            let cycle = (table.hands[seat].len() + table.wastes[seat].len()).max(1);
            self.state.quiet[seat] as usize >= cycle
        })
    }

    /// T27, asked when a turn has started: the position stands for the third time.
    pub(super) fn is_third_visit(&self) -> bool {
        self.state.visits.times_last() >= 3
    }

    /// Gives up the match for `seat`; no points are added (T41).
    pub(super) fn resign(&mut self, seat: Seat) {
        self.emit(Event::Resigned { seat });
        let winners = [seat.opponent()].into_iter().collect();
        self.end_match(EndReason::Resigned, winners);
    }

    fn burdens(&self) -> [u32; 2] {
        [burden(&self.state.table, Seat::ZERO), burden(&self.state.table, Seat::ONE)]
    }

    fn end_hand(&mut self, reason: EndReason, winner: Option<Seat>, score: u32) {
        let won = |seat| if winner == Some(seat) { score } else { 0 };
        let points = [won(Seat::ZERO), won(Seat::ONE)];
        let total = |seat: Seat| self.state.totals[seat].saturating_add(won(seat));
        let totals = [total(Seat::ZERO), total(Seat::ONE)];
        self.emit(Event::HandEnded { reason, winner, burdens: self.burdens(), points, totals });
        let target = self.state.options.target_points;
        if target == 0 {
            self.end_match(reason, winner.map_or_else(both, |seat| [seat].into_iter().collect()));
        } else if totals.iter().any(|&total| total >= target) {
            self.end_match(reason, leaders(totals));
        } else {
            self.deal_next();
        }
    }

    fn end_match(&mut self, reason: EndReason, winners: ArrayVec<Seat, 2>) {
        self.emit(Event::MatchEnded { reason, winners, totals: self.state.totals.0 });
    }

    /// The next hand of a series is started by the other player (T28). A table set up by hand has none.
    fn deal_next(&mut self) {
        if self.state.deal.is_some() {
            let (hand_number, starter) = (self.state.hand_number.saturating_add(1), self.state.starter.opponent());
            self.emit(Event::Dealt { hand_number, starter, drawn: false });
            self.start_turn(starter, 1);
        }
    }
}

fn both() -> ArrayVec<Seat, 2> {
    [Seat::ZERO, Seat::ONE].into_iter().collect()
}

fn leaders([zero, one]: [u32; 2]) -> ArrayVec<Seat, 2> {
    match zero.cmp(&one) {
        std::cmp::Ordering::Less => [Seat::ONE].into_iter().collect(),
        std::cmp::Ordering::Equal => both(),
        std::cmp::Ordering::Greater => [Seat::ZERO].into_iter().collect(),
    }
}
