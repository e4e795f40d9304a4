//! Tonj, server edition, on the wire: its messages made from and read into the types of its rules.
//!
//! What a viewer may see is decided in `shown.rs` (events) and `view.rs` (the table), and nowhere else.

pub(crate) mod action;
pub(crate) mod digest;
pub(crate) mod fact;
pub(crate) mod options;
pub(crate) mod shown;
pub(crate) mod view;
