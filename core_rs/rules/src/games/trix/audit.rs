//! Whether the rules brought an event about: what a verifier asks of a replay, besides what folding it asks
//! (`damage.rs`). A running match is not audited, so that its log folds the same under any later judgement.
//!
//! What cannot be known is only what a seat answered that nobody was told (X16).

use super::deal::first_owner;
use super::event::Event;
use super::legal;
use super::state::{LAST_DEAL, Phase, State};
use crate::game::Unfoldable;

type Right = Result<(), Unfoldable>;

/// The event is what the rules make of the state. It is taken to fit it.
pub(super) fn audit(state: &State, event: &Event) -> Right {
    match event {
        Event::Dealt { owner, .. } => {
            let rightful = match (state.deal(), state.phase) {
                (Some(deal), Phase::NotDealt) => first_owner(deal),
                _ => state.next_owner(),
            };
            right(*owner == rightful, "a kingdom of somebody else")
        }
        Event::CardPlayed { card, .. } => right(legal::cards(state).contains(*card), "a card that may not be played"),
        Event::Passed { .. } => right(legal::cards(state).is_empty(), "a pass beside a card that fits"),
        Event::DealScored { points, .. } => {
            right(state.is_played_out(), "the end of a deal that goes on")?;
            right(*points == state.final_points().0, "other points")
        }
        Event::MatchEnded { winners, .. } => {
            right(state.deal_number >= LAST_DEAL, "the end of a match that goes on")?;
            right(*winners == state.leaders(), "other winners")
        }
        // Folding them asks all that there is to ask.
        Event::ContractChosen { .. }
        | Event::DoubleAnswered { .. }
        | Event::DoublesShown { .. }
        | Event::TrickTaken { .. }
        | Event::TimedOut { .. }
        | Event::Resigned { .. }
        | Event::Returned { .. } => Ok(()),
    }
}

fn right(holds: bool, fault: &'static str) -> Right {
    if holds { Ok(()) } else { Err(Unfoldable(fault)) }
}
