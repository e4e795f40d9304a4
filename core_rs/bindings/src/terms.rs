//! On what terms a match waits for its start: how long, for whom, and where it comes from. They are public, and part of
//! its creation.

/// The terms of a match; by default it is created full and starts at once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Terms {
    /// How long its seats may take to fill; 0 is for ever.
    pub(crate) seats_ms: u32,
    /// How long the wallet has to confirm the fees; 0 asks for no confirmation.
    pub(crate) stakes_ms: u32,
    /// How long the players may take to come; 0 waits for nobody.
    pub(crate) connect_ms: u32,
    /// The table that it was opened at.
    pub(crate) table_id: String,
    /// The match that it is the rematch of.
    pub(crate) rematch_of: String,
    /// Whose each seat is; empty when any player may take any.
    pub(crate) reserved: Vec<String>,
}

impl Terms {
    /// The seat that is kept for a player.
    pub(crate) fn kept_for(&self, player_id: &str) -> Option<u32> {
        self.reserved.iter().position(|kept| kept == player_id).map(|seat| seat as u32)
    }

    /// Whether a player may have a seat.
    pub(crate) fn keeps(&self, seat: u32, player_id: &str) -> bool {
        self.reserved.is_empty() || self.kept_for(player_id) == Some(seat)
    }
}
