//! What the games of the Crapette family (Russian Bank) share: their table of two packs with reserves, hands, wastes,
//! eight houses and eight foundations, how it is dealt, what fits where by the cards alone, and how piles are named in
//! commands and positions. No turns, no duties, no scores: those are each game's own.
//!
//! Clauses are cited as the games number them: `T` for Tonj, server edition, `H` for the house edition, which calls a
//! reserve the Tonj pile, a hand the stock and a pending card the opened one.

pub(crate) mod attempt;
pub(crate) mod building;
pub(crate) mod faces;
pub(crate) mod foundations;
pub(crate) mod move_json;
pub(crate) mod pair;
pub(crate) mod pile;
pub(crate) mod place;
pub(crate) mod position;
pub(crate) mod slot;
pub(crate) mod stack;
pub(crate) mod table;
pub(crate) mod table_damage;
pub(crate) mod view;

pub use pile::{Pile, PileKind};
pub use place::Place;
pub use slot::Slot;
pub use view::{Foundation, Side};
