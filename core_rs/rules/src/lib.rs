//! The rules of Majlis's card games.
//!
//! Everything here is a pure function of its arguments: no clock is read, no chance is drawn, nothing is sent or
//! stored. A match is a [`games`] state, changed only by folding events; commands are judged against it and answer
//! either the events they cause or a [`refusal::Refusal`] that changed nothing.
//!
//! Clauses are cited by their numbers (`T15`) as the rule pages in `docs/rules` give them.

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

pub mod card;
pub mod card_json;
pub mod census;
pub mod crapette;
pub mod deal;
pub mod deck;
pub mod digest;
pub mod game;
pub mod games;
pub mod json;
pub mod judge;
pub mod options;
pub mod perft;
pub mod playout;
pub mod position;
pub mod refusal;
pub mod seat;
pub mod settlement;
