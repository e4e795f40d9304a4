//! What a Tonj table shows (T35): players and spectators see the same. An allow-list: what is not copied here is
//! hidden.

use super::action::Action;
use super::slot::Slot;
use super::state::State;
use super::table::Table;
use crate::card::Card;
use crate::seat::Seat;

/// One player's side of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// Cards in the reserve.
    pub reserve_count: u32,
    /// Its face-up top card.
    pub reserve_top: Option<Card>,
    /// Cards in the hand, the pending one not counted.
    pub hand_count: u32,
    /// Cards in the waste.
    pub waste_count: u32,
    /// Its top card.
    pub waste_top: Option<Card>,
    /// Points of the finished hands.
    pub total: u32,
}

/// A foundation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Foundation {
    /// Its top card.
    pub top: Option<Card>,
    /// How many cards it has.
    pub count: u32,
}

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
        let side = |seat| Side {
            reserve_count: table.reserves[seat].len() as u32,
            reserve_top: table.reserves[seat].top(),
            hand_count: table.hands[seat].len() as u32,
            waste_count: table.wastes[seat].len() as u32,
            waste_top: table.wastes[seat].top(),
            total: self.totals[seat],
        };
        let foundation = |slot| match table.foundations.top(slot) {
            Some((top, count)) => Foundation { top: Some(top), count: u32::from(count) },
            None => Foundation::default(),
        };
        TonjView {
            hand_number: self.hand_number,
            turn_number: self.turn_number,
            turn_seat: self.turn,
            sides: [side(Seat::ZERO), side(Seat::ONE)],
            houses: Slot::ALL.map(|slot| table.houses[slot].cards().to_vec()),
            foundations: Slot::ALL.map(foundation),
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
        let dealt = Table::dealt(self.deal()?, number);
        let houses: Vec<Card> = Slot::ALL.iter().filter_map(|&slot| dealt.houses[slot].top()).collect();
        Some(([dealt.reserves[Seat::ZERO].top()?, dealt.reserves[Seat::ONE].top()?], houses.try_into().ok()?))
    }
}
