//! What cannot stand on a table of the house edition. A position stands after all that happens by itself: nothing is
//! due to be opened, turned over, passed, retired or ended.

use super::state::{Retired, State};
use super::turn::only_passes;
use crate::card::Face;
use crate::census::Census;
use crate::crapette::Slot;
use crate::crapette::building::is_run;
use crate::crapette::stack::ALL_CARDS;
use crate::position::Fault;
use crate::seat::Seat;

type Stands = Result<(), Fault>;

/// Cards in a completed foundation.
const COMPLETE: usize = 13;

/// No card stands twice, those in retired foundations included, of which only the faces are known; unless partial, all
/// are there (H4).
pub(super) fn cards_fit(census: &Census, retired: Retired, partial: bool) -> Stands {
    for card in census.cards() {
        let twins = census.cards().filter(|other| other.face() == card.face()).count() as u32;
        let gone = retired.count(card.suit());
        stands(twins + gone <= 2, || format!("{} stands twice: retired.{}", Face(card), card.suit().letter()))?;
    }
    let retired = retired.0.iter().map(|&count| count as usize * COMPLETE).sum::<usize>();
    let missing = ALL_CARDS.saturating_sub(census.len() + retired);
    stands(partial || missing == 0, || format!("{missing} of the {ALL_CARDS} cards are missing"))
}

/// The table is possible.
pub(super) fn can_stand(state: &State) -> Stands {
    turn_fits(state)?;
    piles_fit(state)?;
    passes_fit(state)?;
    nothing_is_due(state)
}

/// Turns alternate, and there are only so many (H2, H17).
fn turn_fits(state: &State) -> Stands {
    let last = state.options.max_turns;
    let number = state.turn_number;
    stands(number <= last, || format!("turn_number is {number}, beyond the {last} that the options allow"))?;
    let seat = if number % 2 == 1 { state.starter } else { state.starter.opponent() };
    stands(seat == state.turn, || format!("turn_seat is not {seat}, whose turn number {number} is"))
}

/// H4, H5.
fn piles_fit(state: &State) -> Stands {
    for slot in Slot::ALL {
        let (house, foundation) = (state.table.houses[slot].cards(), state.table.foundations.cards(slot));
        stands(is_run(house), || format!("houses[{}] is no correctly built run", slot.number()))?;
        let complete = foundation.count() == COMPLETE;
        stands(!complete, || format!("foundations[{}] is complete: it would have left play", slot.number()))?;
    }
    Ok(())
}

/// Who has passed had nothing to open, and nothing came to him since: an empty waste takes no load (H6, H13).
fn passes_fit(state: &State) -> Stands {
    let passes = state.passes;
    stands(passes < state.turn_number, || format!("passes is {passes} in turn {}", state.turn_number))?;
    let passed = [(1, state.turn.opponent()), (2, state.turn)];
    for (_, seat) in passed.into_iter().filter(|&(least, _)| passes >= least) {
        let idle = !has_cards_to_open(state, seat);
        stands(idle, || format!("passes is {passes}, but seat {seat} has cards to open"))?;
    }
    Ok(())
}

fn nothing_is_due(state: &State) -> Stands {
    let seat = state.turn;
    let overdue = state.table.pending.is_none() && has_cards_to_open(state, seat);
    stands(!overdue, || format!("pending is null, but hands[{seat}] or wastes[{seat}] has a card to open"))?;
    stands(!only_passes(state), || format!("seat {seat} can only pass: it would have passed"))?;
    // At the start of a turn: placements since the second pass may have brought a block about that no pass has met.
    let drawn = state.moves == 0 && state.is_blocked();
    stands(!drawn, || "two passes in a row at a blocked table: the match would be over")
}

fn has_cards_to_open(state: &State, seat: Seat) -> bool {
    let table = &state.table;
    let opened = seat == state.turn && table.pending.is_some();
    opened || !table.hands[seat].is_empty() || !table.wastes[seat].is_empty()
}

fn stands<T: Into<String>>(holds: bool, fault: impl FnOnce() -> T) -> Stands {
    if holds { Ok(()) } else { Err(Fault(fault().into())) }
}
