//! The eight numbered places of the shared table, and rows of eight things that can be looked up by them.

use std::fmt;
use std::ops::{Index, IndexMut};

/// The number of a house or of a foundation, 0 to 7.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(u8);

impl Slot {
    /// All eight, lowest first.
    pub const ALL: [Slot; 8] = [Slot(0), Slot(1), Slot(2), Slot(3), Slot(4), Slot(5), Slot(6), Slot(7)];

    /// The slot of that number, if there is one.
    #[must_use]
    pub const fn new(number: u32) -> Option<Slot> {
        if number < 8 { Some(Slot(number as u8)) } else { None }
    }

    /// 0 to 7.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }
}

impl fmt::Debug for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "slot {}", self.0)
    }
}

/// A set of slots, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Slots(pub u8);

impl Slots {
    /// No slot.
    pub const NONE: Slots = Slots(0);

    /// Whether it holds `slot`.
    #[must_use]
    pub const fn has(self, slot: Slot) -> bool {
        self.0 >> slot.0 & 1 == 1
    }

    /// Those in either.
    #[must_use]
    pub const fn or(self, other: Slots) -> Slots {
        Slots(self.0 | other.0)
    }

    /// Whether it holds none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many it holds.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Its members, lowest first.
    pub(crate) fn each(self) -> impl Iterator<Item = Slot> {
        let mut left = self;
        std::iter::from_fn(move || {
            let lowest = left.lowest()?;
            left.0 &= left.0 - 1;
            Some(lowest)
        })
    }

    /// The lowest-numbered one.
    #[must_use]
    pub const fn lowest(self) -> Option<Slot> {
        Slot::new(self.0.trailing_zeros())
    }
}

/// Eight things, one a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row<T>(pub [T; 8]);

impl<T> Index<Slot> for Row<T> {
    type Output = T;

    // A slot is below eight; the mask lets the compiler see it.
    #[allow(clippy::indexing_slicing)]
    fn index(&self, slot: Slot) -> &T {
        &self.0[usize::from(slot.0 & 7)]
    }
}

impl<T> IndexMut<Slot> for Row<T> {
    #[allow(clippy::indexing_slicing)]
    fn index_mut(&mut self, slot: Slot) -> &mut T {
        &mut self.0[usize::from(slot.0 & 7)]
    }
}
