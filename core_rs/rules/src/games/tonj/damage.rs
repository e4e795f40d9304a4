//! Whether an event can have followed a state: what keeps a damaged log from being folded into a table that never
//! was. It does not judge whether the rules allowed the event, only that cards, seats and counts fit.

use super::event::Event;
use super::state::{Phase, State};
use crate::crapette::table_damage::{Fit, fits, moved, seated};
use crate::seat::Seat;

/// The event fits the state.
pub(super) fn check(state: &State, event: &Event) -> Fit {
    let table = &state.table;
    match event {
        Event::Dealt { hand_number, starter, .. } => {
            fits(matches!(state.phase, Phase::NotDealt | Phase::HandOver), "a hand dealt into another")?;
            fits(state.deal.is_some(), "a hand dealt from nothing")?;
            fits(state.hand_number.saturating_add(1) == *hand_number, "a hand out of order")?;
            seated(*starter)
        }
        Event::TurnStarted { seat, turn_number } => {
            fits(state.phase == Phase::BetweenTurns, "a turn within another")?;
            fits(state.turn_number.saturating_add(1) == *turn_number, "a turn out of order")?;
            seated(*seat)
        }
        Event::WasteRecycled { seat, count } => {
            on_turn(state, *seat)?;
            fits(table.hands[*seat].is_empty(), "a waste turned over beside a hand")?;
            fits(table.wastes[*seat].len() == *count as usize, "a waste of another size")
        }
        Event::CardRevealed { seat, card, .. } => {
            on_turn(state, *seat)?;
            fits(table.pending.is_none() && table.hands[*seat].top() == Some(*card), "another card on the hand")
        }
        Event::CardsMoved { seat, from, to, cards, turned_up, .. } => {
            on_turn(state, *seat)?;
            moved(table, *from, *to, cards)?;
            fits(table.turned_up_under(*from) == *turned_up, "another card turned up")
        }
        Event::CardDiscarded { seat, card, .. } => {
            on_turn(state, *seat)?;
            fits(table.pending == Some(*card), "another card pending")
        }
        Event::ClaimOpened { offender, .. } => {
            on_turn(state, *offender)?;
            fits(state.claim.is_none(), "a claim within another")
        }
        Event::ClaimResolved { class, .. } => {
            fits(state.phase == Phase::Playing, "a claim outside a turn")?;
            fits(state.claim.is_some_and(|claim| claim.class == *class), "another claim")
        }
        Event::TimedOut { seat, .. } | Event::TurnEnded { seat, .. } => on_turn(state, *seat),
        Event::HandEnded { .. } => {
            fits(matches!(state.phase, Phase::Playing | Phase::BetweenTurns), "the end of a hand that did not run")
        }
        Event::Resigned { seat } => {
            fits(!matches!(state.phase, Phase::NotDealt | Phase::MatchOver), "a match given up that did not run")?;
            seated(*seat)
        }
        Event::MatchEnded { winners, .. } => {
            fits(state.phase == Phase::HandOver, "the end of a match in the middle of a hand")?;
            winners.iter().try_for_each(|&seat| seated(seat))
        }
    }
}

fn on_turn(state: &State, seat: Seat) -> Fit {
    seated(seat)?;
    fits(state.phase == Phase::Playing && state.turn == seat, "a turn of somebody else")
}
