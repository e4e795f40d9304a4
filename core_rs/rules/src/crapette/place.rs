//! A pile that exists: what events name. A pile as a command names it, perhaps one that cannot be, is in `action.rs`.

use super::slot::Slot;
use crate::seat::Seat;

/// One pile of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// A player's reserve.
    Reserve(Seat),
    /// A player's hand; a card comes from it by way of being turned up.
    Hand(Seat),
    /// A player's waste.
    Waste(Seat),
    /// A house.
    House(Slot),
    /// A foundation.
    Foundation(Slot),
}
