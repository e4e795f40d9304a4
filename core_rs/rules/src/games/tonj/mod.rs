//! Tonj, server edition.

mod action;
mod event;
mod foundations;
mod options;
mod pair;
mod place;
mod repetition;
mod slot;
mod stack;
mod state;
mod table;
mod view;

pub use action::{Action, Pile, PileKind};
pub use event::{Cards, Cause, Event, FaultClass, TurnEnd};
pub use options::{Bounds, OptionFault, Options, TABLE, TimeoutPolicy};
pub use place::Place;
pub use slot::Slot;
pub use state::{Claim, Phase, State};
pub use view::{Foundation, OpenClaim, Side, TonjView};
