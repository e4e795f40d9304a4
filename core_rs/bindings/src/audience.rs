//! For whom something is written: the log and the replay of an ended match take everything, a viewer what he may see.

use majlis_rules::seat::Seat;

/// Somebody who looks at a running match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Viewer {
    /// From a seat of it.
    Seat(Seat),
    /// From nowhere.
    Spectator,
}

/// Python's number for a spectator.
pub(crate) const SPECTATOR: i32 = -1;

impl Viewer {
    /// The viewer whom Python names by a seat number or `SPECTATOR`; an unknown seat sees what a spectator sees.
    pub(crate) fn numbered(number: i32, seats: usize) -> Self {
        u32::try_from(number)
            .ok()
            .and_then(|number| Seat::at_table(number, seats as u32))
            .map_or(Self::Spectator, Self::Seat)
    }

    /// The seat, if there is one.
    pub(crate) fn seat(self) -> Option<Seat> {
        match self {
            Self::Seat(seat) => Some(seat),
            Self::Spectator => None,
        }
    }
}

/// For whom an event is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Audience {
    /// For the store: everything but what follows from the sealed seed.
    Log,
    /// For the replay of a match that has ended: everything.
    Replay,
    /// For a viewer.
    Viewer(Viewer),
}
