//! The room's settings: one table of bounds and defaults, and the check against it. Reading them from JSON or from
//! the wire is done elsewhere.

use std::fmt;

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

/// The bounds of one number among the options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The field's name in the API.
    pub field: &'static str,
    /// The smallest value that may be given.
    pub min: u32,
    /// What 0 or nothing stands for.
    pub default: u32,
    /// The largest value that may be given.
    pub max: u32,
}

const fn bounds(field: &'static str, min: u32, default: u32, max: u32) -> Bounds {
    Bounds { field, min, default, max }
}

/// Every number among the options: name, minimum, default, maximum.
pub const TABLE: [Bounds; 5] = [
    bounds("target_points", 0, 0, 10_000),
    bounds("turn_seconds", 1, 30, 604_800),
    bounds("claim_window_ms", 100, 4_000, 60_000),
    bounds("max_claims_per_turn", 1, 3, 20),
    bounds("max_transfers_per_turn", 1, 30, 200),
];

/// A number outside its bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionFault {
    /// The field's name in the API.
    pub field: &'static str,
    /// The smallest value that may be given (0 stands for the default besides).
    pub min: u32,
    /// The largest value that may be given.
    pub max: u32,
    /// What was given.
    pub given: u32,
}

impl fmt::Display for OptionFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option {} is {}, outside {} to {}", self.field, self.given, self.min, self.max)
    }
}

impl std::error::Error for OptionFault {}

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
            if *number == 0 {
                *number = bounds.default;
            } else if *number < bounds.min || *number > bounds.max {
                return Err(OptionFault { field: bounds.field, min: bounds.min, max: bounds.max, given: *number });
            }
        }
        Ok(self)
    }
}
