//! Whether an event can have followed a state: what keeps a damaged log from being folded into a table that never was.
//! It does not judge whether the rules allowed the event, only that cards, seats, counts and money fit.

use super::event::Event;
use super::penalty::Levy;
use super::state::{Phase, State};
use crate::card::Rank;
use crate::crapette::table_damage::{Fit, fits, moved, seated};
use crate::seat::Seat;

/// The event fits the state.
pub(super) fn check(state: &State, event: &Event) -> Fit {
    let table = &state.table;
    match event {
        Event::Dealt { starter, .. } => {
            fits(state.phase == Phase::NotDealt, "a match dealt into another")?;
            fits(state.deal.is_some(), "a match dealt from nothing")?;
            seated(*starter)
        }
        Event::TurnStarted { seat, turn_number } => {
            fits(state.phase == Phase::BetweenTurns, "a turn within another")?;
            fits(state.turn_number.checked_add(1) == Some(*turn_number), "a turn out of order")?;
            seated(*seat)
        }
        Event::WasteTurned { seat, count } => {
            on_turn(state, *seat)?;
            fits(table.hands[*seat].is_empty(), "a waste turned over beside a stock")?;
            fits(table.wastes[*seat].len() == *count as usize, "a waste of another size")
        }
        Event::CardOpened { seat, card } => {
            on_turn(state, *seat)?;
            fits(table.pending.is_none() && table.hands[*seat].top() == Some(*card), "another card on the stock")
        }
        Event::CardMoved { seat, from, to, card, turned_up, .. } => {
            on_turn(state, *seat)?;
            moved(table, *from, *to, &[*card])?;
            fits(table.turned_up_under(*from) == *turned_up, "another card turned up")
        }
        Event::FoundationRetired { slot, suit } => {
            let top = table.foundations.top(*slot).map(|(card, _)| card);
            let completed = top.is_some_and(|top| top.rank() == Rank::KING && top.suit() == *suit);
            fits(state.phase == Phase::Playing && completed, "a foundation that is not complete")
        }
        Event::CardDiscarded { seat, card, .. } => {
            on_turn(state, *seat)?;
            fits(table.pending == Some(*card), "another opened card")
        }
        Event::Penalised { seat, returned, source, from_stock, from_waste, turned_up, .. } => {
            on_turn(state, *seat)?;
            seated(*source)?;
            fits(table.pending == *returned, "another opened card")?;
            let thrown = usize::from(returned.is_some() && source == seat);
            let held = [table.hands[*source].len(), table.wastes[*source].len() + thrown];
            let [stock, waste] = held;
            fits(*from_stock as usize <= stock && *from_waste as usize <= waste, "more penalty cards than there are")?;
            let levy = Levy { source: *source, from_stock: *from_stock, from_waste: *from_waste };
            fits(levy.turned_up(table, *seat) == *turned_up, "another penalty card turned up")
        }
        Event::Passed { seat, .. } | Event::TimedOut { seat, .. } => on_turn(state, *seat),
        Event::TurnEnded { seat, .. } => {
            on_turn(state, *seat)?;
            fits(table.pending.is_none(), "a turn that ends with a card opened")
        }
        Event::Resigned { seat } => {
            let runs = matches!(state.phase, Phase::BetweenTurns | Phase::Playing);
            fits(runs, "a match given up that did not run")?;
            seated(*seat)
        }
        Event::MatchEnded { winner, cards, settlement, .. } => {
            let runs = !matches!(state.phase, Phase::NotDealt | Phase::MatchOver);
            fits(runs, "the end of a match that did not run")?;
            winner.map_or(Ok(()), seated)?;
            fits(*cards == state.personal_cards(), "another count of cards")?;
            fits(*settlement == state.settlement(*winner), "another settlement")
        }
    }
}

fn on_turn(state: &State, seat: Seat) -> Fit {
    seated(seat)?;
    fits(state.phase == Phase::Playing && state.turn == seat, "a turn of somebody else")
}
