//! Which clock runs. The public one tells nothing of cards, answers or absences; the one within it is its own seat's
//! alone to know (X11, X17).

use super::legal;
use super::state::{Phase, State};
use crate::game::{ClockKind, RunningClock};
use crate::seat::Seat;

impl State {
    /// The clock that everybody sees.
    pub(super) fn clock(&self) -> Option<RunningClock> {
        let (kind, seconds) = match self.phase {
            Phase::Doubling => (ClockKind::Double, self.options.double_seconds),
            Phase::Choosing => (ClockKind::Choose, self.options.choose_seconds),
            _ => (ClockKind::Play, self.options.play_seconds),
        };
        let is_running = self.phase == Phase::Doubling || self.on_turn().is_some();
        is_running.then(|| self.running(kind, seconds.saturating_mul(1000)))
    }

    /// The delay after which the server plays for the seat on turn. One that is away always waits as long, so that its
    /// plays tell nothing of its cards.
    pub(super) fn own_clock(&self) -> Option<RunningClock> {
        let seat = self.on_turn()?;
        if self.away[seat] {
            return Some(self.running(ClockKind::Away, self.options.away_delay_ms));
        }
        let delay = self.options.auto_play_delay()?;
        self.has_one_play().then(|| self.running(ClockKind::Auto, delay))
    }

    /// One card fits, or none does and the pass is forced (X11).
    fn has_one_play(&self) -> bool {
        self.phase == Phase::Layout && legal::cards(self).len() <= 1
    }

    const fn running(&self, kind: ClockKind, length_ms: u32) -> RunningClock {
        RunningClock { kind, length_ms, armed: self.clocks_started }
    }

    /// Whether `clock` is one that a seat's time can run out on (X3, X14).
    pub(super) fn awaits(&self, seat: Seat, clock: ClockKind) -> bool {
        self.on_turn() == Some(seat) && self.clock().is_some_and(|running| running.kind == clock)
    }
}
