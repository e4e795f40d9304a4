//! Folding events. [`apply`] trusts its event and only keeps the books; [`evolve`] first asks `damage.rs` whether the
//! event can have followed. Nothing here decides anything, so a log folds the same under any later judgement.

use super::damage::check;
use super::event::{Event, TurnEnd};
use super::penalty::Levy;
use super::state::{Ending, Phase, Retired, State};
use crate::crapette::table::Table;
use crate::game::Unfoldable;
use crate::seat::Seat;

/// Folds an event of a log.
pub(super) fn evolve(state: &mut State, event: &Event) -> Result<(), Unfoldable> {
    check(state, event)?;
    apply(state, event);
    Ok(())
}

/// Folds an event that follows from the state.
pub(super) fn apply(state: &mut State, event: &Event) {
    match event {
        Event::Dealt { starter, .. } => deal(state, *starter),
        Event::TurnStarted { seat, turn_number } => {
            state.phase = Phase::Playing;
            state.turn = *seat;
            state.turn_number = *turn_number;
            state.moves = 0;
            state.clocks_started = state.clocks_started.wrapping_add(1);
        }
        Event::WasteTurned { seat, .. } => state.table.turn_over_waste(*seat),
        Event::CardOpened { seat, .. } => state.table.pending = state.table.hands[*seat].pop(),
        Event::CardMoved { from, to, card, .. } => {
            state.table.carry(*from, *to, &[*card]);
            state.moves = state.moves.saturating_add(1);
        }
        Event::FoundationRetired { slot, suit } => {
            state.table.foundations.retire(*slot);
            state.retired.add(*suit);
        }
        Event::CardDiscarded { seat, .. } => state.table.throw_pending(*seat),
        Event::Penalised { seat, source, from_stock, from_waste, .. } => {
            let levy = Levy { source: *source, from_stock: *from_stock, from_waste: *from_waste };
            levy.take(&mut state.table, *seat);
        }
        // The end of the turn follows at once, or what the server plays for the seat.
        Event::Passed { .. } | Event::TimedOut { .. } => {}
        Event::TurnEnded { by, .. } => {
            state.phase = Phase::BetweenTurns;
            // H23, H27: only a pass goes on with the row.
            state.passes = if *by == TurnEnd::Pass { state.passes.saturating_add(1) } else { 0 };
        }
        Event::Resigned { .. } => state.phase = Phase::GivenUp,
        Event::MatchEnded { reason, winner, settlement, .. } => {
            state.phase = Phase::MatchOver;
            state.ending = Some(Ending { reason: *reason, winner: *winner, settlement: *settlement });
        }
    }
}

fn deal(state: &mut State, starter: Seat) {
    if let Some(deal) = &state.deal {
        state.table = Table::dealt(deal, 1);
    }
    state.phase = Phase::BetweenTurns;
    state.starter = starter;
    state.turn = starter;
    state.turn_number = 0;
    state.retired = Retired::default();
    state.moves = 0;
    state.passes = 0;
}
