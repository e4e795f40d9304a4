//! What a faulty attempt leads to: whether a claim opens, and how it closes (T29–T33).

use std::ops::ControlFlow;

use super::action::Action;
use super::duties::mandated;
use super::event::{Cause, Event, FaultClass, TurnEnd};
use super::judgement::Placement;
use super::play::{Course, Play};
use super::state::State;
use crate::refusal::{Reason, Refusal};
use crate::seat::Seat;

/// A turn has only so many claims; after them faulty attempts are plainly refused (T33).
pub(super) fn may_open(state: &State) -> Result<(), Refusal> {
    let limit = state.options.max_claims_per_turn;
    if state.claims < limit { Ok(()) } else { Err(Refusal::at_limit(Reason::ClaimsUsedUp, limit)) }
}

/// Only the opponent of the offender may call, and only while a claim is open (T30).
pub(super) fn may_call(state: &State, seat: Seat) -> Result<(), Refusal> {
    match &state.claim {
        None => Err(Reason::NoClaim.into()),
        Some(claim) if claim.offender == seat => Err(Reason::OwnClaim.into()),
        Some(_) => Ok(()),
    }
}

impl Play<'_> {
    /// Opens a claim on a faulty attempt.
    pub(super) fn open_claim(&mut self, offender: Seat, attempt: Action, class: FaultClass) {
        self.emit(Event::ClaimOpened { offender, attempt, class });
    }

    /// Closes the open claim, called or expired.
    pub(super) fn close_claim(&mut self, called: bool) -> Course {
        if let Some(class) = self.state.claim.map(|claim| claim.class) {
            self.emit(Event::ClaimResolved { called, class });
            if class == FaultClass::Priority {
                self.execute_mandated()?;
            }
        }
        if called {
            self.lose_pending();
            self.end_turn(TurnEnd::Called)
        } else {
            self.recycle_overdue();
            self.go_on()
        }
    }

    fn execute_mandated(&mut self) -> Course {
        match mandated(&self.state.table, self.state.turn) {
            Some((from, to)) => self.place(Placement { from, to, count: 1 }, Cause::Claim),
            None => ControlFlow::Continue(()),
        }
    }

    /// A called claim costs the offender his pending card, unless the mandated move has placed it: no turn begins with a
    /// card pending (T29, T39).
    fn lose_pending(&mut self) {
        if let Some(card) = self.state.table.pending {
            self.throw(card, Cause::Claim);
        }
    }
}
