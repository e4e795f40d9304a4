//! The room's settings: one table of bounds and defaults, and the check against it. Reading them from JSON or from
//! the wire is done elsewhere.

use crate::options::{Bounds, OptionFault};

/// What the server plays when a turn clock runs out (T34).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TimeoutPolicy {
    /// The rest of the turn.
    #[default]
    FinishTurn,
    /// One action; then the clock starts afresh.
    OneAction,
}

impl TimeoutPolicy {
    /// Its name in the API.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            TimeoutPolicy::FinishTurn => "TIMEOUT_POLICY_FINISH_TURN",
            TimeoutPolicy::OneAction => "TIMEOUT_POLICY_ONE_ACTION",
        }
    }
}

/// The settings of a Tonj room. A 0 means the default until [`Options::resolved`] has put it in (T42).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    /// Points at which a series ends; 0 for a match of one hand (T28).
    pub target_points: u32,
    /// Length of the turn clock.
    pub turn_seconds: u32,
    /// How long a claim may be called.
    pub claim_window_ms: u32,
    /// Claims a turn; after them faulty attempts are plainly refused (T33).
    pub max_claims_per_turn: u32,
    /// House-to-house transfers a turn (T22).
    pub max_transfers_per_turn: u32,
    /// What happens when the turn clock runs out.
    pub timeout_policy: TimeoutPolicy,
    /// Whether the seat on turn is shown its legal actions.
    pub show_legal_moves: bool,
}

/// Every number among the options: name, minimum, default, maximum.
pub const TABLE: [Bounds; 5] = [
    Bounds::of("target_points", 0, 0, 10_000),
    Bounds::of("turn_seconds", 1, 30, 604_800),
    Bounds::of("claim_window_ms", 100, 4_000, 60_000),
    Bounds::of("max_claims_per_turn", 1, 3, 20),
    Bounds::of("max_transfers_per_turn", 1, 30, 200),
];

impl Options {
    /// The numbers in the order of [`TABLE`].
    pub fn numbers_mut(&mut self) -> [&mut u32; 5] {
        [
            &mut self.target_points,
            &mut self.turn_seconds,
            &mut self.claim_window_ms,
            &mut self.max_claims_per_turn,
            &mut self.max_transfers_per_turn,
        ]
    }

    /// The options with every default put in.
    ///
    /// # Errors
    /// [`OptionFault`] for the first number outside its bounds.
    pub fn resolved(mut self) -> Result<Options, OptionFault> {
        for (number, bounds) in self.numbers_mut().into_iter().zip(TABLE) {
            *number = bounds.resolve(*number)?;
        }
        Ok(self)
    }
}
