//! Four things, one a seat.

use std::ops::{Index, IndexMut};

use crate::seat::Seat;

/// One thing for each seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Four<T>(pub(super) [T; 4]);

impl<T> Index<Seat> for Four<T> {
    type Output = T;

    #[inline]
    #[allow(clippy::indexing_slicing, reason = "what is below four has its place")]
    fn index(&self, seat: Seat) -> &T {
        &self.0[seat.index() & 3]
    }
}

impl<T> IndexMut<Seat> for Four<T> {
    #[inline]
    #[allow(clippy::indexing_slicing, reason = "what is below four has its place")]
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.0[seat.index() & 3]
    }
}
