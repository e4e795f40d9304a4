//! What stories of both editions of Tonj share: any pile, place and card, the cards of a position, and tables that
//! differ in what lies face down alone.

use majlis_rules::card::Card;
use majlis_rules::crapette::{Pile, PileKind, Place, Slot};
use majlis_rules::playout::Xorshift;
use majlis_rules::position::Object;
use majlis_rules::seat::Seat;

use super::names;

pub const SEATS: [Seat; 2] = [Seat::ZERO, Seat::ONE];

/// A pile as a command may name it, what cannot be included.
pub fn some_pile(chance: &mut Xorshift) -> Pile {
    let kinds = [
        PileKind::Unspecified,
        PileKind::Reserve,
        PileKind::Hand,
        PileKind::Waste,
        PileKind::House,
        PileKind::Foundation,
    ];
    Pile {
        kind: kinds[chance.below(kinds.len())],
        seat: [0, 1, 2, u32::MAX][chance.below(4)],
        index: [None, Some(chance.below(8) as u32), Some(8), Some(u32::MAX)][chance.below(4)],
    }
}

pub fn some_card(chance: &mut Xorshift) -> Card {
    std::iter::repeat_with(|| chance.below(128) as u8).find_map(Card::from_byte).unwrap()
}

/// A seat of some table, not always of this one.
pub fn some_seat(chance: &mut Xorshift) -> Seat {
    Seat::at_table(chance.below(4) as u32, 4).unwrap()
}

pub fn some_slot(chance: &mut Xorshift) -> Slot {
    Slot::new(chance.below(8) as u32).unwrap()
}

pub fn some_place(chance: &mut Xorshift) -> Place {
    let (seat, slot) = (some_seat(chance), some_slot(chance));
    match chance.below(5) {
        0 => Place::Reserve(seat),
        1 => Place::Hand(seat),
        2 => Place::Waste(seat),
        3 => Place::House(slot),
        _ => Place::Foundation(slot),
    }
}

/// The cards that a position shows on the table, by name.
pub fn cards_on_table(position: &Object) -> Vec<String> {
    let mut cards = Vec::new();
    for key in ["reserves", "hands", "wastes", "houses", "foundations"] {
        position[key].as_array().unwrap().iter().for_each(|pile| cards.extend(names(pile)));
    }
    cards.extend(position["pending"].as_str().map(str::to_owned));
    cards
}

/// Exchanges all cards that nobody sees: hands, what lies under the tops of reserves and of wastes.
pub fn shuffle_hidden(position: &mut Object, chance: &mut Xorshift) {
    let mut places = Vec::new();
    for key in ["hands", "reserves", "wastes"] {
        for seat in [0, 1] {
            let count = position[key][seat].as_array().unwrap().len();
            let hidden = if key == "hands" { count } else { count.saturating_sub(1) };
            places.extend((0..hidden).map(|at| (key, seat, at)));
        }
    }
    for last in (1..places.len()).rev() {
        let ((a, b, c), (d, e, f)) = (places[last], places[chance.below(last + 1)]);
        let (first, second) = (position[a][b][c].take(), position[d][e][f].take());
        if (a, b, c) == (d, e, f) {
            position[a][b][c] = first;
        } else {
            position[a][b][c] = second;
            position[d][e][f] = first;
        }
    }
}
