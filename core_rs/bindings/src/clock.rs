//! The clock of a match, folded from its log: which clock runs, until when, and what is left of one that stands still.
//!
//! The rules say which clock they want and name each start of one by a number (`armed`). A claim's clock freezes the
//! turn's clock; when the claim closes and the same turn goes on, the turn's clock goes on with the exact rest (T30).

use majlis_rules::game::{ClockKind, RunningClock};

use crate::wire::v1;

/// What a match waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Waits {
    /// Its seats to be taken.
    Seats,
    /// Its fees to be confirmed.
    Stakes,
    /// Its players to come.
    Connect,
    /// Something at its table.
    Table(ClockKind),
}

impl Waits {
    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Seats => "seats",
            Self::Stakes => "stakes",
            Self::Connect => "connect",
            Self::Table(kind) => kind.name(),
        }
    }
}

/// The clock that should run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Due {
    /// What it is for.
    pub(crate) kind: Waits,
    /// Which start of it that is.
    pub(crate) start: u32,
    /// How long it runs.
    pub(crate) length_ms: u32,
}

impl From<RunningClock> for Due {
    fn from(clock: RunningClock) -> Self {
        Self { kind: Waits::Table(clock.kind), start: clock.armed, length_ms: clock.length_ms }
    }
}

/// A clock that runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Armed {
    /// What it is for.
    pub(crate) kind: Waits,
    /// The last instant that is still in time.
    pub(crate) deadline_ms: i64,
    /// The record that armed it, or last changed its deadline.
    pub(crate) record: u32,
    /// Which start of a clock it is, as the rules count (`armed`).
    start: u32,
}

/// A turn's clock that stands still during a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Frozen {
    start: u32,
    remaining_ms: i64,
}

/// Both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Clock {
    running: Option<Armed>,
    frozen: Option<Frozen>,
}

impl Clock {
    /// The clock that runs.
    pub(crate) fn running(&self) -> Option<Armed> {
        self.running
    }

    /// What is left of the clock that stands still.
    pub(crate) fn frozen_ms(&self) -> Option<i64> {
        self.frozen.map(|frozen| frozen.remaining_ms)
    }

    /// After a record at an instant, this clock should run.
    pub(crate) fn follow(&mut self, wanted: Option<Due>, instant_ms: i64, record: u32) {
        let Some(wanted) = wanted else {
            *self = Self::default();
            return;
        };
        let same = |running: &Armed| running.kind == wanted.kind && running.start == wanted.start;
        if self.running.as_ref().is_some_and(same) {
            return;
        }
        let length_ms = match (wanted.kind, self.frozen) {
            (TURN, Some(frozen)) if frozen.start == wanted.start => frozen.remaining_ms,
            _ => i64::from(wanted.length_ms),
        };
        self.frozen = match (wanted.kind, self.running) {
            (CLAIM, Some(turn)) if turn.kind == TURN => {
                Some(Frozen { start: turn.start, remaining_ms: (turn.deadline_ms - instant_ms).max(0) })
            }
            _ => None,
        };
        self.running =
            Some(Armed { kind: wanted.kind, deadline_ms: instant_ms + length_ms, record, start: wanted.start });
    }

    /// Gives time back to the clock that runs.
    pub(crate) fn extend(&mut self, by_ms: u32, record: u32) {
        if let Some(running) = &mut self.running {
            running.deadline_ms += i64::from(by_ms);
            running.record = record;
        }
    }
}

const TURN: Waits = Waits::Table(ClockKind::Turn);
const CLAIM: Waits = Waits::Table(ClockKind::Claim);

/// What a match waits for, on the wire.
pub(crate) fn write_waits(waits: Waits) -> v1::ClockKind {
    match waits {
        Waits::Seats => v1::ClockKind::Seats,
        Waits::Stakes => v1::ClockKind::Stakes,
        Waits::Connect => v1::ClockKind::Connect,
        Waits::Table(kind) => write_kind(kind),
    }
}

/// A clock's kind on the wire.
pub(crate) fn write_kind(kind: ClockKind) -> v1::ClockKind {
    match kind {
        ClockKind::Turn => v1::ClockKind::Turn,
        ClockKind::Claim => v1::ClockKind::Claim,
        ClockKind::Choose => v1::ClockKind::Choose,
        ClockKind::Double => v1::ClockKind::Double,
        ClockKind::Play => v1::ClockKind::Play,
        // A seat's own clock is no clock that anybody is shown.
        ClockKind::Auto | ClockKind::Away => v1::ClockKind::Unspecified,
    }
}

/// A clock's kind read back; `None` if it is none that this version knows.
pub(crate) fn read_kind(kind: v1::ClockKind) -> Option<ClockKind> {
    match kind {
        v1::ClockKind::Unspecified | v1::ClockKind::Seats | v1::ClockKind::Stakes | v1::ClockKind::Connect => None,
        v1::ClockKind::Turn => Some(ClockKind::Turn),
        v1::ClockKind::Claim => Some(ClockKind::Claim),
        v1::ClockKind::Choose => Some(ClockKind::Choose),
        v1::ClockKind::Double => Some(ClockKind::Double),
        v1::ClockKind::Play => Some(ClockKind::Play),
    }
}
