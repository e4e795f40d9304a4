//! What the server plays for a seat whose turn clock ran out (T34): duties, a reveal, the pending card, the end of
//! the turn. Never an optional move, and never one that opens a claim.

use std::ops::ControlFlow;

use super::duties::mandated;
use super::event::{Cause, Event, TurnEnd};
use super::judgement::Placement;
use super::legal::first_for_pending;
use super::options::TimeoutPolicy;
use super::play::{Course, Play};
use crate::game::ClockKind;

impl Play<'_> {
    /// Lets the turn clock run out.
    pub(super) fn time_out(&mut self) {
        let seat = self.state.turn;
        self.emit(Event::TimedOut { seat, clock: ClockKind::Turn });
        let mut course = self.act_for_absent();
        if self.state.options.timeout_policy == TimeoutPolicy::FinishTurn {
            while course.is_continue() {
                course = self.act_for_absent();
            }
        }
    }

    /// One action in his stead. Each one brings the turn nearer to its end: what is turned up is placed or thrown, and
    /// a waste that turns over has grown shorter.
    fn act_for_absent(&mut self) -> Course {
        let (state, seat) = (&*self.state, self.state.turn);
        if let Some((from, to)) = mandated(&state.table, seat) {
            self.place(Placement { from, to, count: 1 }, Cause::Clock)?;
        } else if state.table.pending.is_some() {
            match first_for_pending(state, seat) {
                Some(placement) => self.place(placement, Cause::Clock)?,
                None => return self.discard(Cause::Clock),
            }
        } else if state.table.hands[seat].is_empty() {
            return self.end_turn(TurnEnd::Asked);
        } else {
            self.reveal(Cause::Clock);
            return ControlFlow::Continue(());
        }
        self.go_on()
    }
}
