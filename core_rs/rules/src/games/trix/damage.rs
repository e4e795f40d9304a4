//! Whether an event can have followed a state: what keeps a damaged log from being folded into a table that never was.
//! It does not judge whether the rules allowed the event, only that cards, seats and counts fit.

use super::card_set::CardSet;
use super::event::Event;
use super::legal::fitting;
use super::state::{LAST_DEAL, Phase, State};
use crate::game::{EndReason, Unfoldable};
use crate::seat::Seat;

type Fit = Result<(), Unfoldable>;

/// The event fits the state.
pub(super) fn check(state: &State, event: &Event) -> Fit {
    match event {
        Event::Dealt { deal_number, .. } => {
            fits(matches!(state.phase, Phase::NotDealt | Phase::DealOver), "a deal within another")?;
            fits(state.deal.is_some(), "a deal from nothing")?;
            fits(*deal_number == state.deal_number + 1 && *deal_number <= LAST_DEAL, "a deal out of order")
        }
        Event::ContractChosen { contract } => {
            fits(state.phase == Phase::Choosing, "a contract that was not to be chosen")?;
            fits(!state.played.contains(contract), "a contract played twice")
        }
        Event::DoubleAnswered { seat, cards } => {
            fits(state.may_double(*seat), "an answer that was not asked for")?;
            fits(cards.is_subset(state.doublable(*seat)), "an answer of other cards")
        }
        Event::DoublesShown { doubled } => {
            fits(state.phase == Phase::Doubling, "doubles outside the window")?;
            let held = |(seat, cards): (Seat, &CardSet)| cards.is_subset(state.doublable(seat));
            fits(Seat::FOUR.into_iter().zip(doubled).all(held), "other cards doubled")
        }
        Event::CardPlayed { seat, card } => {
            fits(state.phase != Phase::Choosing, "a card before the contract")?;
            on_turn(state, *seat)?;
            fits(state.hands[*seat].contains(*card), "a card that is not held")?;
            fits(state.phase == Phase::Tricks || fitting(state.laid).contains(*card), "a card beside its row")
        }
        Event::Passed { seat } => {
            fits(state.phase == Phase::Layout, "a pass outside the layout")?;
            on_turn(state, *seat)
        }
        Event::TrickTaken { seat } => {
            fits(state.phase == Phase::Tricks && state.trick.is_full(), "a trick that is not complete")?;
            fits(state.trick.taker() == *seat, "a trick of somebody else")
        }
        Event::DealScored { points, totals } => {
            fits(matches!(state.phase, Phase::Tricks | Phase::Layout), "the end of a deal that was not played")?;
            let sums = state.totals.0.into_iter().zip(points).map(|(total, &points)| total.saturating_add(points));
            fits(sums.eq(*totals), "totals that do not add up")
        }
        Event::TimedOut { seat, clock } => fits(state.awaits(*seat, *clock), "another clock"),
        Event::Resigned { .. } => {
            fits(!matches!(state.phase, Phase::NotDealt | Phase::MatchOver), "a seat given up in no match")
        }
        Event::Returned { seat } => fits(state.away[*seat], "a return without an absence"),
        Event::MatchEnded { reason, totals, .. } => {
            fits(state.phase == Phase::DealOver, "the end of a match in the middle of a deal")?;
            fits(*reason == EndReason::PlayedOut, "an end that there is not")?;
            fits(*totals == state.totals().0, "other totals")
        }
    }
}

fn on_turn(state: &State, seat: Seat) -> Fit {
    fits(state.on_turn() == Some(seat), "a turn of somebody else")
}

fn fits(holds: bool, fault: &'static str) -> Fit {
    if holds { Ok(()) } else { Err(Unfoldable(fault)) }
}
