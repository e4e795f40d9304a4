//! What a Tonj table shows (T35): players and spectators see the same. An allow-list: what is not copied here is
//! hidden.

use super::action::Action;
use super::state::State;
use crate::card::Card;
use crate::crapette::table::Table;
use crate::crapette::view::{Foundation, Side};
use crate::seat::Seat;

/// An attempt that may be called. Its class is no part of what is seen (T32).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenClaim {
    /// Whose attempt.
    pub offender: Seat,
    /// What he tried.
    pub attempt: Action,
}

/// The table as everybody sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TonjView {
    /// From 1; 0 before the first deal.
    pub hand_number: u32,
    /// From 1 in each hand.
    pub turn_number: u32,
    /// The seat on turn.
    pub turn_seat: Seat,
    /// By seat.
    pub sides: [Side; 2],
    /// Innermost card first.
    pub houses: [Vec<Card>; 8],
    /// All eight.
    pub foundations: [Foundation; 8],
    /// The card turned up from the hand of the seat on turn.
    pub pending: Option<Card>,
    /// The claim that is open.
    pub claim: Option<OpenClaim>,
    /// House-to-house transfers left in this turn.
    pub transfers_left: u32,
    /// Claims left in this turn before faulty attempts are plainly refused (T33).
    pub claims_left: u32,
    /// Who started this hand.
    pub starter: Seat,
}

impl State {
    /// The table as everybody sees it (T35).
    #[must_use]
    pub fn view(&self) -> TonjView {
        let table = &self.table;
        TonjView {
            hand_number: self.hand_number,
            turn_number: self.turn_number,
            turn_seat: self.turn,
            sides: table.sides(self.totals.0),
            houses: table.house_cards(),
            foundations: table.foundation_tops(),
            pending: table.pending,
            claim: self.claim.map(|claim| OpenClaim { offender: claim.offender, attempt: claim.attempt }),
            transfers_left: self.transfers_left(),
            claims_left: self.options.max_claims_per_turn.saturating_sub(self.claims),
            starter: self.starter,
        }
    }

    /// What the deal of hand `number` turns face up: the reserves' tops by seat, and the houses' first cards. `None`
    /// if there is nothing to deal from.
    #[must_use]
    pub fn face_up(&self, number: u32) -> Option<([Card; 2], [Card; 8])> {
        Table::dealt(self.deal()?, number).face_up()
    }
}
