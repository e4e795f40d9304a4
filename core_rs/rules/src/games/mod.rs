//! One folder a game. No game imports another.

pub mod tonj;
