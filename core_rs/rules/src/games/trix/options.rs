//! The room's settings, their bounds and defaults. Reading them from JSON or from the wire is done elsewhere.

use crate::options::{Bounds, OptionFault};

/// What a doubled card does when its own doubler takes it (X9).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ForcedCapture {
    /// He pays the plain value, and nobody else moves.
    #[default]
    Base,
    /// On another's lead he pays double, and that leader gets the plain value.
    LeaderPays,
}

impl ForcedCapture {
    /// Its name in the API.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            ForcedCapture::Base => "FORCED_CAPTURE_BASE",
            ForcedCapture::LeaderPays => "FORCED_CAPTURE_LEADER_PAYS",
        }
    }
}

/// The settings of a Trix room, as they were asked for until [`Options::resolved`] has put the defaults in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    /// For the choice of a contract; 0 means the default.
    pub choose_seconds: u32,
    /// Of the doubling window; 0 means the default.
    pub double_seconds: u32,
    /// For a card or a pass; 0 means the default.
    pub play_seconds: u32,
    /// After which the only possible play is made for a seat (X11); `None` means the default, 0 that it is off.
    pub auto_play_delay_ms: Option<u32>,
    /// Whether K♥, Queens and Diamonds are played to the thirteenth trick (X8).
    pub play_out: bool,
    /// Which reading of X9 is played.
    pub forced_capture: ForcedCapture,
    /// Whether players are shown what is legal; `None` means yes.
    pub show_legal_moves: Option<bool>,
    /// After which the server plays for a seat that was given up (X17); 0 means the default.
    pub away_delay_ms: u32,
}

/// Every number among the options: name, minimum, default, maximum. 0 stands for the default, but for the auto-play
/// delay.
pub const TABLE: [Bounds; 5] = [
    Bounds::of("choose_seconds", 1, 20, 604_800),
    Bounds::of("double_seconds", 1, 10, 604_800),
    Bounds::of("play_seconds", 1, 20, 604_800),
    Bounds::of("away_delay_ms", 100, 2_000, 60_000),
    Bounds::of("auto_play_delay_ms", 0, 1_500, 60_000),
];

impl Options {
    /// The options with every default put in.
    ///
    /// # Errors
    /// [`OptionFault`] for the first number outside its bounds.
    pub fn resolved(mut self) -> Result<Options, OptionFault> {
        let [choose, double, play, away, auto] = TABLE;
        self.choose_seconds = choose.resolve(self.choose_seconds)?;
        self.double_seconds = double.resolve(self.double_seconds)?;
        self.play_seconds = play.resolve(self.play_seconds)?;
        self.away_delay_ms = away.resolve(self.away_delay_ms)?;
        self.auto_play_delay_ms = Some(auto.hold(self.auto_play_delay_ms.unwrap_or(auto.default))?);
        self.show_legal_moves = Some(self.show_legal_moves.unwrap_or(true));
        Ok(self)
    }

    /// After which the only possible play is made, if it is at all (X11).
    pub(super) fn auto_play_delay(&self) -> Option<u32> {
        self.auto_play_delay_ms.filter(|&delay| delay > 0)
    }
}
