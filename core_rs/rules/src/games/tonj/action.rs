//! A player's command, exactly as the wire carries it: nothing here has been judged, so what no pile or count can be
//! is representable (T12, T37). What it means at a table is `crapette::attempt`; its JSON is `action_json.rs`.

use crate::crapette::Pile;

/// A player's command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Moves the outer card, or the `count` outer cards of a house; 0 means 1.
    Move {
        /// From where.
        from: Pile,
        /// To where.
        to: Pile,
        /// How many; 0 means 1.
        count: u32,
    },
    /// Turns up the top card of the hand (T18).
    Reveal,
    /// Throws the card turned up on the waste (T19).
    Discard,
    /// Ends the turn (T21).
    EndTurn,
    /// Calls Tonj on the opponent's attempt (T30).
    CallTonj,
}
