//! The piles of a position, read and written (`reserves`, `hands`, `wastes`, `houses`, `foundations`, `pending`). What a
//! game asks of a table besides, and its counters, are its own.

use serde_json::Value;

use super::foundations::Foundations;
use super::pair::Pair;
use super::slot::{Row, Slot};
use super::stack::Stack;
use super::table::Table;
use crate::card::{Card, Rank};
use crate::census::{Census, Notation};
use crate::position::{Fault, Keys, Object};
use crate::seat::Seat;

/// The table of a position; every card is noted in `census`.
pub(crate) fn read_table(keys: &Keys<'_>, census: &mut Census) -> Result<Table, Fault> {
    let stacks = |piles: [Vec<Card>; 2]| Pair(piles.map(Stack::of));
    let mut table = Table::empty();
    table.reserves = stacks(keys.piles("reserves", census)?);
    table.houses = Row(keys.piles("houses", census)?.map(Stack::of));
    table.foundations = read_foundations(keys, census)?;
    table.wastes = stacks(keys.piles("wastes", census)?);
    // A position lists the next card of a hand first; on the table it lies on top.
    table.hands = Pair(keys.piles("hands", census)?.map(|hand: Vec<Card>| Stack::of(hand).turned_over()));
    table.pending = keys.get("pending").map(|card| census.card(card, "pending")).transpose()?;
    Ok(table)
}

/// T9, H4: ace first, one suit, no gap.
fn read_foundations(keys: &Keys<'_>, census: &mut Census) -> Result<Foundations, Fault> {
    let mut foundations = Foundations::default();
    for (slot, cards) in Slot::ALL.into_iter().zip(keys.piles::<8>("foundations", census)?) {
        let suit = cards.first().map(|ace| ace.suit());
        for (card, rank) in cards.iter().zip(Rank::all()) {
            if card.rank() != rank || Some(card.suit()) != suit {
                return Err(Fault(format!("foundations[{}] is not built from the ace in one suit", slot.number())));
            }
            foundations.push(slot, *card);
        }
        if cards.len() > 13 {
            return Err(Fault(format!("foundations[{}] goes beyond the king", slot.number())));
        }
    }
    Ok(foundations)
}

/// A number that the options cap.
pub(crate) fn capped(keys: &Keys<'_>, key: &str, cap: u32) -> Result<u32, Fault> {
    match keys.number(key, 0)? {
        number if number > cap => Err(Fault(format!("{key} is {number}, beyond the {cap} that the options allow"))),
        number => Ok(number),
    }
}

/// Every pile by its key.
pub(crate) fn write_table(table: &Table) -> Object {
    let by_seat = |pile: &dyn Fn(Seat) -> Value| Value::from(vec![pile(Seat::ZERO), pile(Seat::ONE)]);
    let by_slot = |pile: &dyn Fn(Slot) -> Value| Value::from(Slot::ALL.map(pile).to_vec());
    let list = |stack: &Stack| Notation::Packs.list(stack.cards().iter().copied());
    let values = [
        ("foundations", by_slot(&|slot| Notation::Packs.list(table.foundations.cards(slot)))),
        ("hands", by_seat(&|seat| Notation::Packs.list(table.hands[seat].cards().iter().rev().copied()))),
        ("houses", by_slot(&|slot| list(&table.houses[slot]))),
        ("pending", table.pending.map_or(Value::Null, |card| card.to_string().into())),
        ("reserves", by_seat(&|seat| list(&table.reserves[seat]))),
        ("wastes", by_seat(&|seat| list(&table.wastes[seat]))),
    ];
    values.into_iter().map(|(key, pile)| (key.to_owned(), pile)).collect()
}
