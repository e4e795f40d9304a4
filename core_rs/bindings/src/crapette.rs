//! Piles and sides of the table that both editions of Tonj have, on the wire.

use majlis_rules::{
    crapette::{Foundation, Pile, PileKind, Place, Side, Slot},
    seat::Seat,
};

use crate::{
    card,
    errors::Fault,
    wire::v1::{self, tonj_view as message},
};

/// A pile as it was named, perhaps one that there is not.
///
/// # Errors
/// [`Fault::Malformed`]: it is missing, or of no kind.
pub(crate) fn read_pile(pile: Option<&v1::Pile>, path: &str) -> Result<Pile, Fault> {
    let pile = pile.ok_or_else(|| Fault::field(path, "is missing"))?;
    let kind = match pile.kind() {
        v1::PileKind::Unspecified => {
            return Err(Fault::field(&format!("{path}.kind"), "is no kind of pile"));
        }
        v1::PileKind::Reserve => PileKind::Reserve,
        v1::PileKind::Hand => PileKind::Hand,
        v1::PileKind::Waste => PileKind::Waste,
        v1::PileKind::House => PileKind::House,
        v1::PileKind::Foundation => PileKind::Foundation,
    };
    Ok(Pile { kind, seat: pile.seat, index: pile.index })
}

/// A pile as the wire names it.
pub(crate) fn write_pile(pile: &Pile) -> v1::Pile {
    let kind = match pile.kind {
        PileKind::Unspecified => v1::PileKind::Unspecified,
        PileKind::Reserve => v1::PileKind::Reserve,
        PileKind::Hand => v1::PileKind::Hand,
        PileKind::Waste => v1::PileKind::Waste,
        PileKind::House => v1::PileKind::House,
        PileKind::Foundation => v1::PileKind::Foundation,
    };
    v1::Pile { kind: kind as i32, seat: pile.seat, index: pile.index }
}

/// A pile that exists, read back from an event; `None` if it names none.
pub(crate) fn read_place(pile: &v1::Pile) -> Option<Place> {
    let seat = || Seat::at_table(pile.seat, 2);
    let slot = || pile.index.and_then(Slot::new);
    match pile.kind() {
        v1::PileKind::Unspecified => None,
        v1::PileKind::Reserve => seat().map(Place::Reserve),
        v1::PileKind::Hand => seat().map(Place::Hand),
        v1::PileKind::Waste => seat().map(Place::Waste),
        v1::PileKind::House => slot().map(Place::House),
        v1::PileKind::Foundation => slot().map(Place::Foundation),
    }
}

/// A place as the wire names it.
pub(crate) fn write_place(place: Place) -> v1::Pile {
    write_pile(&Pile::from(place))
}

/// One player's piles.
pub(crate) fn write_side(side: &Side) -> message::Side {
    message::Side {
        reserve_count: side.reserve_count,
        reserve_top: side.reserve_top.map(card::write),
        hand_count: side.hand_count,
        waste_count: side.waste_count,
        waste_top: side.waste_top.map(card::write),
        total: side.total as i32,
    }
}

/// The houses, by number.
pub(crate) fn write_houses(houses: &[Vec<majlis_rules::card::Card>; 8]) -> Vec<message::House> {
    houses.iter().map(|cards| message::House { cards: cards.iter().copied().map(card::write).collect() }).collect()
}

/// A foundation.
pub(crate) fn write_foundation(foundation: &Foundation) -> message::Foundation {
    message::Foundation { top: foundation.top.map(card::write), count: foundation.count }
}
