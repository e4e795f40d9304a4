//! The table's settings, their bounds and defaults. Reading them from JSON or from the wire is done elsewhere.

use crate::options::{Bounds, OptionFault};

/// Whose cards a penalty takes (H10).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PenaltySource {
    /// The opponent's: his next stock cards, then his waste from the oldest.
    #[default]
    OpponentStock,
    /// The offender's own, in the same order.
    OwnStock,
}

impl PenaltySource {
    /// Its name in the API.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            PenaltySource::OpponentStock => "PENALTY_SOURCE_OPPONENT_STOCK",
            PenaltySource::OwnStock => "PENALTY_SOURCE_OWN_STOCK",
        }
    }
}

/// The settings of a table, as they were asked for until [`Options::resolved`] has put the defaults in (H28).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    /// Length of the turn clock; 0 means the default.
    pub turn_seconds: u32,
    /// Cards that a penalty costs; `None` means the default, 0 none (H10).
    pub penalty_cards: Option<u32>,
    /// Whose they are.
    pub penalty_source: PenaltySource,
    /// Placements that end a turn; 0 means the default (H16).
    pub max_moves_per_turn: u32,
    /// The turn at whose end the personal cards are counted; 0 means the default (H17).
    pub max_turns: u32,
    /// What each seat pays to play, in minor units (H19).
    pub entry_fee_minor: u32,
    /// What the platform keeps of a won pot, in basis points (H20).
    pub rake_bps: u32,
    /// Whether the match counts for ratings: nothing to the rules.
    pub ranked: bool,
    /// Whether the seat on turn is shown its legal actions.
    pub show_legal_moves: bool,
}

/// Every number among the options: name, minimum, default, maximum. 0 stands for the default, but for the penalty
/// cards.
pub const TABLE: [Bounds; 6] = [
    Bounds::of("turn_seconds", 1, 30, 604_800),
    Bounds::of("max_moves_per_turn", 1, 40, 1_000),
    Bounds::of("max_turns", 1, 400, 10_000),
    Bounds::of("entry_fee_minor", 0, 0, 1_000_000_000),
    Bounds::of("rake_bps", 0, 0, 5_000),
    Bounds::of("penalty_cards", 0, 3, 10),
];

impl Options {
    /// The options with every default put in.
    ///
    /// # Errors
    /// [`OptionFault`] for the first number outside its bounds.
    pub fn resolved(mut self) -> Result<Options, OptionFault> {
        let [turn, moves, turns, fee, rake, penalty] = TABLE;
        self.turn_seconds = turn.resolve(self.turn_seconds)?;
        self.max_moves_per_turn = moves.resolve(self.max_moves_per_turn)?;
        self.max_turns = turns.resolve(self.max_turns)?;
        self.entry_fee_minor = fee.resolve(self.entry_fee_minor)?;
        self.rake_bps = rake.resolve(self.rake_bps)?;
        self.penalty_cards = Some(penalty.hold(self.penalty_cards.unwrap_or(penalty.default))?);
        Ok(self)
    }
}
