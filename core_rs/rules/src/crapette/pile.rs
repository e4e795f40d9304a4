//! Piles exactly as a command names them: nothing here has been judged, so what no pile can be is representable (T12,
//! T37). What they mean at a table is `attempt.rs`; their JSON is `move_json.rs`.

use super::place::Place;
use super::slot::Slot;
use crate::seat::Seat;

/// Which kind of pile a [`Pile`] names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PileKind {
    /// None was named, or one that this version does not know.
    #[default]
    Unspecified,
    /// A player's reserve.
    Reserve,
    /// A player's hand; as a source, the card turned up from it.
    Hand,
    /// A player's waste.
    Waste,
    /// One of the eight houses.
    House,
    /// One of the eight foundations.
    Foundation,
}

/// A pile as a command names it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pile {
    /// Which kind.
    pub kind: PileKind,
    /// Whose, for reserve, hand and waste.
    pub seat: u32,
    /// Which, for houses and foundations. No index on a foundation means the lowest-numbered one that fits.
    pub index: Option<u32>,
}

impl Pile {
    /// The reserve of `seat`.
    #[must_use]
    pub const fn reserve(seat: Seat) -> Pile {
        Pile { kind: PileKind::Reserve, seat: seat.number() as u32, index: None }
    }

    /// The hand of `seat`.
    #[must_use]
    pub const fn hand(seat: Seat) -> Pile {
        Pile { kind: PileKind::Hand, seat: seat.number() as u32, index: None }
    }

    /// The waste of `seat`.
    #[must_use]
    pub const fn waste(seat: Seat) -> Pile {
        Pile { kind: PileKind::Waste, seat: seat.number() as u32, index: None }
    }

    /// A house.
    #[must_use]
    pub const fn house(slot: Slot) -> Pile {
        Pile { kind: PileKind::House, seat: 0, index: Some(slot.number() as u32) }
    }

    /// A foundation.
    #[must_use]
    pub const fn foundation(slot: Slot) -> Pile {
        Pile { kind: PileKind::Foundation, seat: 0, index: Some(slot.number() as u32) }
    }
}

impl From<Place> for Pile {
    fn from(place: Place) -> Pile {
        match place {
            Place::Reserve(seat) => Pile::reserve(seat),
            Place::Hand(seat) => Pile::hand(seat),
            Place::Waste(seat) => Pile::waste(seat),
            Place::House(slot) => Pile::house(slot),
            Place::Foundation(slot) => Pile::foundation(slot),
        }
    }
}
