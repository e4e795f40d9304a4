//! How many cards may go together (T13).

use crate::crapette::slot::Slots;

/// The most cards of a group: one more than there are empty houses besides the destination.
pub(super) const fn longest_group(empty: Slots, to_empty: bool) -> usize {
    empty.len() as usize + 1 - to_empty as usize
}
