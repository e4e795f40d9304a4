//! What every game's settings share: a number's bounds, and the fault of one that is outside. The settings
//! themselves are each game's own.

use std::fmt;

/// The bounds of one number among the options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The field's name in the API.
    pub field: &'static str,
    /// The smallest value that may be given.
    pub min: u32,
    /// What nothing stands for, and 0 where 0 means nothing.
    pub default: u32,
    /// The largest value that may be given.
    pub max: u32,
}

impl Bounds {
    /// Those of the number `field`.
    #[must_use]
    pub const fn of(field: &'static str, min: u32, default: u32, max: u32) -> Bounds {
        Bounds { field, min, default, max }
    }

    /// `given`, if it is within.
    ///
    /// # Errors
    /// [`OptionFault`] if it is outside.
    pub const fn hold(&self, given: u32) -> Result<u32, OptionFault> {
        if given < self.min || given > self.max {
            Err(OptionFault { field: self.field, min: self.min, max: self.max, given })
        } else {
            Ok(given)
        }
    }

    /// `given` if it is within, the default for 0.
    ///
    /// # Errors
    /// [`OptionFault`] if it is outside.
    pub const fn resolve(&self, given: u32) -> Result<u32, OptionFault> {
        if given == 0 { Ok(self.default) } else { self.hold(given) }
    }
}

/// A number outside its bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionFault {
    /// The field's name in the API.
    pub field: &'static str,
    /// The smallest value that may be given (0 may stand for the default besides).
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
