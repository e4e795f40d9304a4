//! What of a table everybody sees (T35). An allow-list: what is not copied here is hidden.

use super::slot::Slot;
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
    /// Points of the finished hands; 0 in a game without points.
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

impl Table {
    /// Both sides as everybody sees them; `totals` by seat.
    pub(crate) fn sides(&self, totals: [u32; 2]) -> [Side; 2] {
        let [zero, one] = totals;
        [self.side(Seat::ZERO, zero), self.side(Seat::ONE, one)]
    }

    fn side(&self, seat: Seat, total: u32) -> Side {
        Side {
            reserve_count: self.reserves[seat].len() as u32,
            reserve_top: self.reserves[seat].top(),
            hand_count: self.hands[seat].len() as u32,
            waste_count: self.wastes[seat].len() as u32,
            waste_top: self.wastes[seat].top(),
            total,
        }
    }

    /// The houses' cards, innermost first.
    pub(crate) fn house_cards(&self) -> [Vec<Card>; 8] {
        Slot::ALL.map(|slot| self.houses[slot].cards().to_vec())
    }

    /// The foundations as everybody sees them.
    pub(crate) fn foundation_tops(&self) -> [Foundation; 8] {
        Slot::ALL.map(|slot| match self.foundations.top(slot) {
            Some((top, count)) => Foundation { top: Some(top), count: u32::from(count) },
            None => Foundation::default(),
        })
    }

    /// What a deal has turned face up: the reserves' tops by seat, and the houses' first cards. `None` for a table that
    /// is not right after a deal.
    pub(crate) fn face_up(&self) -> Option<([Card; 2], [Card; 8])> {
        let houses: Vec<Card> = Slot::ALL.iter().filter_map(|&slot| self.houses[slot].top()).collect();
        Some(([self.reserves[Seat::ZERO].top()?, self.reserves[Seat::ONE].top()?], houses.try_into().ok()?))
    }
}
