//! What a table of the house edition shows: both players and spectators see the same. An allow-list: what is not copied
//! here is hidden.

use super::state::State;
use crate::card::{Card, Suit};
use crate::crapette::table::Table;
use crate::crapette::{Foundation, Side};
use crate::seat::Seat;

/// The table as everybody sees it; a reserve is a Tonj pile here, a hand a stock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TonjHouseView {
    /// From 1; 0 before the deal.
    pub turn_number: u32,
    /// The seat on turn.
    pub turn_seat: Seat,
    /// Who started.
    pub starter: Seat,
    /// By seat; no totals.
    pub sides: [Side; 2],
    /// Innermost card first.
    pub houses: [Vec<Card>; 8],
    /// All eight.
    pub foundations: [Foundation; 8],
    /// Suits whose foundation was completed and left play, one entry each time, in suit order.
    pub retired: Vec<Suit>,
    /// The opened card of the seat on turn.
    pub opened: Option<Card>,
    /// Placements left in this turn (H16).
    pub moves_left: u32,
    /// Turns in a row that ended with a pass (H15).
    pub passes: u32,
}

impl State {
    /// The table as everybody sees it.
    #[must_use]
    pub fn view(&self) -> TonjHouseView {
        let table = &self.table;
        let times = |suit| std::iter::repeat_n(suit, self.retired.count(suit) as usize);
        TonjHouseView {
            turn_number: self.turn_number,
            turn_seat: self.turn,
            starter: self.starter,
            sides: table.sides([0, 0]),
            houses: table.house_cards(),
            foundations: table.foundation_tops(),
            retired: Suit::ALL.into_iter().flat_map(times).collect(),
            opened: table.pending,
            moves_left: self.moves_left(),
            passes: self.passes,
        }
    }

    /// What the deal turns face up: the Tonj tops by seat, and the houses' first cards. `None` if there is nothing to
    /// deal from.
    #[must_use]
    pub fn face_up(&self) -> Option<([Card; 2], [Card; 8])> {
        Table::dealt(self.deal()?, 1).face_up()
    }
}
