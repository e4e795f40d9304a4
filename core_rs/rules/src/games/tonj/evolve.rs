//! Folding events. [`apply`] trusts its event and only keeps the books; [`evolve`] first asks `damage.rs` whether the
//! event can have followed. Nothing here decides anything, so a log folds the same under any later judgement.

use super::damage::check;
use super::ends::burden;
use super::event::{Event, TurnEnd};
use super::state::{Claim, Ending, Phase, State};
use crate::card::Card;
use crate::crapette::pair::Pair;
use crate::crapette::place::Place;
use crate::crapette::table::Table;
use crate::game::{EndReason, Unfoldable};
use crate::seat::Seat;

/// Where in `State::clocks_started` each clock is counted.
const TURN_CLOCK: Seat = Seat::ZERO;
const CLAIM_CLOCK: Seat = Seat::ONE;

/// Folds an event of a log.
pub(super) fn evolve(state: &mut State, event: &Event) -> Result<(), Unfoldable> {
    check(state, event)?;
    apply(state, event);
    Ok(())
}

/// Folds an event that follows from the state.
pub(super) fn apply(state: &mut State, event: &Event) {
    match event {
        Event::Dealt { hand_number, starter, .. } => deal(state, *hand_number, *starter),
        Event::TurnStarted { seat, turn_number } => start_turn(state, *seat, *turn_number),
        Event::WasteRecycled { seat, .. } => state.table.turn_over_waste(*seat),
        Event::CardRevealed { seat, .. } => state.table.pending = state.table.hands[*seat].pop(),
        Event::CardsMoved { from, to, cards, .. } => move_cards(state, *from, *to, cards),
        Event::CardDiscarded { seat, .. } => state.table.throw_pending(*seat),
        Event::ClaimOpened { offender, attempt, class } => {
            state.claim = Some(Claim { offender: *offender, attempt: *attempt, class: *class });
            state.claims += 1;
            state.clocks_started[CLAIM_CLOCK] += 1;
        }
        Event::ClaimResolved { .. } => state.claim = None,
        Event::TimedOut { .. } => state.clocks_started[TURN_CLOCK] += 1,
        Event::TurnEnded { seat, by } => end_turn(state, *seat, *by),
        Event::HandEnded { reason, winner, burdens, points, totals } => {
            let winners = winner
                .map_or_else(|| [Seat::ZERO, Seat::ONE].into_iter().collect(), |seat| [seat].into_iter().collect());
            state.phase = Phase::HandOver;
            state.totals = Pair(*totals);
            state.ending = Some(Ending { reason: *reason, burdens: *burdens, points: *points, winners });
        }
        // Nothing on the table changes, an open claim included: the end of the match follows at once.
        Event::Resigned { .. } => {
            let burdens = [burden(&state.table, Seat::ZERO), burden(&state.table, Seat::ONE)];
            let winners = Default::default();
            state.ending = Some(Ending { reason: EndReason::Resigned, burdens, points: [0, 0], winners });
            state.phase = Phase::HandOver;
        }
        Event::MatchEnded { winners, .. } => {
            state.phase = Phase::MatchOver;
            if let Some(ending) = &mut state.ending {
                ending.winners.clone_from(winners);
            }
        }
    }
}

fn deal(state: &mut State, hand_number: u32, starter: Seat) {
    if let Some(deal) = &state.deal {
        state.table = Table::dealt(deal, hand_number);
    }
    state.phase = Phase::BetweenTurns;
    state.hand_number = hand_number;
    state.starter = starter;
    state.turn = starter;
    state.turn_number = 0;
    state.transfers = 0;
    state.claims = 0;
    state.quiet = Pair::default();
    state.visits.clear();
    state.ending = None;
}

fn start_turn(state: &mut State, seat: Seat, turn_number: u32) {
    state.phase = Phase::Playing;
    state.turn = seat;
    state.turn_number = turn_number;
    state.transfers = 0;
    state.claims = 0;
    state.clocks_started[TURN_CLOCK] += 1;
    state.visits.note(&state.table, seat);
}

fn end_turn(state: &mut State, seat: Seat, by: TurnEnd) {
    state.phase = Phase::BetweenTurns;
    let table = &state.table;
    // T26: a turn counts that ended with a discard, or with hand and waste both empty.
    if by == TurnEnd::Discard || table.hands[seat].is_empty() && table.wastes[seat].is_empty() {
        state.quiet[seat] += 1;
    }
}

fn move_cards(state: &mut State, from: Place, to: Place, cards: &[Card]) {
    state.table.carry(from, to, cards);
    if let (Place::House(_), Place::House(_)) = (from, to) {
        state.transfers += 1;
    } else {
        // Any other placement is progress (T25).
        state.quiet = Pair::default();
    }
    if let Place::Foundation(_) = to {
        state.visits.clear();
    }
}
