//! The clock of a match, folded from its log: which clock runs, until when, and what is left of one that stands still.
//!
//! The rules say which clock they want and name each start of one by a number (`armed`). A claim's clock freezes the
//! turn's clock; when the claim closes and the same turn goes on, the turn's clock goes on with the exact rest (T30).

use majlis_rules::game::{ClockKind, RunningClock};

use crate::wire::v1;

/// A clock that runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Armed {
    /// What it is for.
    pub(crate) kind: ClockKind,
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

    /// After a record at an instant, the rules want this clock.
    pub(crate) fn follow(&mut self, wanted: Option<RunningClock>, instant_ms: i64, record: u32) {
        let Some(wanted) = wanted else {
            *self = Self::default();
            return;
        };
        let same = |running: &Armed| running.kind == wanted.kind && running.start == wanted.armed;
        if self.running.as_ref().is_some_and(same) {
            return;
        }
        let length_ms = match (wanted.kind, self.frozen) {
            (ClockKind::Turn, Some(frozen)) if frozen.start == wanted.armed => frozen.remaining_ms,
            _ => i64::from(wanted.length_ms),
        };
        self.frozen = match (wanted.kind, self.running) {
            (ClockKind::Claim, Some(turn)) if turn.kind == ClockKind::Turn => {
                Some(Frozen { start: turn.start, remaining_ms: (turn.deadline_ms - instant_ms).max(0) })
            }
            _ => None,
        };
        self.running =
            Some(Armed { kind: wanted.kind, deadline_ms: instant_ms + length_ms, record, start: wanted.armed });
    }

    /// Gives time back to the clock that runs.
    pub(crate) fn extend(&mut self, by_ms: u32, record: u32) {
        if let Some(running) = &mut self.running {
            running.deadline_ms += i64::from(by_ms);
            running.record = record;
        }
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
        v1::ClockKind::Unspecified => None,
        v1::ClockKind::Turn => Some(ClockKind::Turn),
        v1::ClockKind::Claim => Some(ClockKind::Claim),
        v1::ClockKind::Choose => Some(ClockKind::Choose),
        v1::ClockKind::Double => Some(ClockKind::Double),
        v1::ClockKind::Play => Some(ClockKind::Play),
    }
}
