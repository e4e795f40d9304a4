//! Seats: who sits where. Nothing here knows how many seats a game has; each game says which it takes.

use std::fmt;

/// A seat at a table, 0 to 3.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seat(u8);

impl Seat {
    /// Seat 0.
    pub const ZERO: Seat = Seat(0);
    /// Seat 1.
    pub const ONE: Seat = Seat(1);

    /// The seats of a table of four, in order of play.
    pub const FOUR: [Seat; 4] = [Seat(0), Seat(1), Seat(2), Seat(3)];

    /// The seat of that number at a table of `seats`, if there is one.
    #[must_use]
    pub const fn at_table(number: u32, seats: u32) -> Option<Seat> {
        if number < seats && number < 4 { Some(Seat(number as u8)) } else { None }
    }

    /// Its number, from 0.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Its number, for indexing.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The right-hand neighbour at a table of four.
    #[must_use]
    pub const fn next_of_four(self) -> Seat {
        Seat((self.0 + 1) & 3)
    }

    /// The seat that is `places` before it in order of play at a table of four.
    #[must_use]
    pub const fn back_of_four(self, places: u8) -> Seat {
        Seat(self.0.wrapping_sub(places) & 3)
    }

    /// The other seat of a table of two.
    #[must_use]
    pub const fn opponent(self) -> Seat {
        if self.0 == 0 { Seat::ONE } else { Seat::ZERO }
    }
}

impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seat {}", self.0)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}
