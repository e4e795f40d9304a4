//! Two things, one a seat.

use std::ops::{Index, IndexMut};

use crate::seat::Seat;

/// One thing for either seat of a table of two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pair<T>(pub [T; 2]);

impl<T> Index<Seat> for Pair<T> {
    type Output = T;

    fn index(&self, seat: Seat) -> &T {
        let [zero, one] = &self.0;
        if seat == Seat::ZERO { zero } else { one }
    }
}

impl<T> IndexMut<Seat> for Pair<T> {
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        let [zero, one] = &mut self.0;
        if seat == Seat::ZERO { zero } else { one }
    }
}
