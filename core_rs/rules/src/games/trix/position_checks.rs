//! What cannot stand on a Trix table. A position stands after all that happens by itself: no complete trick, no window
//! that everybody has answered, no deal that is over and goes on.

use super::card_set::CardSet;
use super::contract::Contract;
use super::deal::SEVEN_OF_HEARTS;
use super::position_text::NOTATION;
use super::state::{KINGDOM, LAST_DEAL, Phase, State};
use crate::position::{Fault, Given};
use crate::seat::Seat;

type Stands = Result<(), Fault>;

/// Tricks a deal.
const TRICKS: u32 = 13;

/// Points that cannot be reached in twenty deals of 500.
const MOST: i32 = 10_000;

/// The table is possible; unless partial, its cards are all there.
pub(super) fn can_stand(state: &State, given: &Given) -> Stands {
    contract_fits(state)?;
    piles_fit(state)?;
    turn_fits(state, given)?;
    hands_fit(state, given)?;
    answers_fit(state)?;
    doubles_fit(state)?;
    ends_fit(state)?;
    totals_fit(state)?;
    if given.partial { Ok(()) } else { whole_table_fits(state) }
}

/// Each phase has its contracts; the fifth of a kingdom is never chosen (X3).
fn contract_fits(state: &State) -> Stands {
    let fits = match (state.phase, state.contract) {
        (Phase::Choosing, contract) => contract.is_none() && (state.played.len() as u32) < KINGDOM - 1,
        (Phase::Doubling, Some(contract)) => !contract.doublable().is_empty(),
        (Phase::Tricks, Some(contract)) => contract != Contract::Trix,
        (Phase::Layout, Some(contract)) => contract == Contract::Trix,
        (_, contract) => contract.is_some(),
    };
    stands(fits, || "contract and phase do not go together")?;
    let again = state.contract.is_some_and(|contract| state.played.contains(&contract));
    stands(!again, || "contract was played in this kingdom already")
}

/// Each phase has its piles.
fn piles_fit(state: &State) -> Stands {
    let in_tricks = state.contract.is_some_and(|contract| contract != Contract::Trix)
        && matches!(state.phase, Phase::Tricks | Phase::DealOver);
    let in_layout = state.contract == Some(Contract::Trix);
    let no_tricks = state.taken.set().is_empty() && state.tricks_taken.0 == [0; 4];
    stands(in_tricks || no_tricks, || "cards are taken where no tricks are played")?;
    stands(state.phase == Phase::Tricks || state.trick.cards.is_empty(), || "a trick where none is played")?;
    let no_rows = state.laid.is_empty() && state.finished.is_empty();
    stands(in_layout || no_rows, || "rows and finished seats outside the Trix contract")
}

fn turn_fits(state: &State, given: &Given) -> Stands {
    let none_taken = state.tricks_taken.0 == [0; 4];
    let fits = match state.phase {
        Phase::Choosing => state.turn == state.owner,
        Phase::Tricks if state.trick.cards.is_empty() => given.partial || !none_taken || state.turn == state.owner,
        Phase::Tricks => state.trick.plays().last().is_some_and(|(last, _)| last.next_of_four() == state.turn),
        _ => true,
    };
    stands(fits, || "turn_seat is not the seat on turn")?;
    let led_first = state.phase != Phase::Tricks || given.partial || !none_taken || state.trick.leader == state.owner;
    stands(led_first, || "the owner leads the first trick")
}

/// In tricks all hands have shrunk alike; in the layout those that are empty have finished.
fn hands_fit(state: &State, given: &Given) -> Stands {
    let sizes = state.hands.0.map(CardSet::len);
    if state.contract == Some(Contract::Trix) {
        stands(sizes.iter().all(|&size| size <= TRICKS), || "a hand of more than 13 cards")?;
        let empty = Seat::FOUR.into_iter().filter(|&seat| state.hands[seat].is_empty());
        let all_empty = empty.clone().count() == 4;
        let known = empty.clone().all(|seat| state.finished.contains(&seat)) || all_empty;
        let last_is_left = state.finished.len() < 4;
        let fits = known && last_is_left && state.finished.iter().all(|&seat| state.hands[seat].is_empty());
        stands(fits, || "finished names other seats than those with empty hands")?;
        let stuck = state.phase == Phase::Layout && state.hands[state.turn].is_empty();
        return stands(!stuck, || "turn_seat has no cards");
    }
    let played = |seat: Seat| u32::from(state.trick.plays().any(|(player, _)| player == seat));
    let held = Seat::FOUR.map(|seat| state.hands[seat].len() + played(seat));
    let [first, ..] = held;
    stands(held.iter().all(|&size| size == first), || "hands of different sizes")?;
    let tricks = state.tricks_taken.0.iter().fold(first, |sum, &tricks| sum.saturating_add(tricks));
    stands(tricks <= TRICKS, || "more than 13 tricks")?;
    let piles = Seat::FOUR.into_iter().all(|seat| state.taken.by(seat).count() as u32 == 4 * state.tricks_taken[seat]);
    stands(given.partial || tricks == TRICKS && piles, || "hands and taken cards do not go with tricks_taken")
}

fn answers_fit(state: &State) -> Stands {
    for seat in Seat::FOUR {
        let Some(answer) = state.answers[seat] else { continue };
        stands(state.phase == Phase::Doubling, || "answers outside the doubling window")?;
        let asked = !state.doublable(seat).is_empty();
        let fits = asked && answer.is_subset(state.doublable(seat));
        stands(fits, || format!("answers[{seat}] is no answer of that seat"))?;
    }
    let closed = state.phase == Phase::Doubling && state.first_asked().is_none();
    stands(!closed, || "everybody who was asked has answered: the window would be closed")
}

/// A card is doubled once, by its holder, where it can be (X4).
fn doubles_fit(state: &State) -> Stands {
    let doublable = match (state.phase, state.contract) {
        (Phase::Tricks | Phase::DealOver, Some(contract)) => contract.doublable(),
        _ => CardSet::EMPTY,
    };
    let mut seen = CardSet::EMPTY;
    for (seat, card) in state.doubled_cards() {
        let text = || NOTATION.write(card);
        stands(doublable.contains(card), || format!("{} cannot be doubled here", text()))?;
        stands(!seen.contains(card), || format!("{} is doubled twice", text()))?;
        seen.insert(card);
        let elsewhere = Seat::FOUR.into_iter().any(|other| other != seat && state.hands[other].contains(card));
        let played_by = state.trick.plays().find(|&(_, played)| played == card).map(|(player, _)| player);
        let fits = !elsewhere && played_by.is_none_or(|player| player == seat);
        stands(fits, || format!("{} is doubled by a seat that did not hold it", text()))?;
    }
    Ok(())
}

/// A deal that is over has ended, and one that has ended is over (X7, X10).
fn ends_fit(state: &State) -> Stands {
    if state.phase != Phase::DealOver {
        let goes_on = state.phase == Phase::Tricks && state.all_penalties_taken();
        return stands(!state.is_played_out() && !goes_on, || "the deal would be over");
    }
    let mut before = state.clone();
    before.phase = if state.contract == Some(Contract::Trix) { Phase::Layout } else { Phase::Tricks };
    stands(before.is_played_out(), || "phase is OVER in the middle of a deal")?;
    let next = state.deal.is_some() && state.deal_number < LAST_DEAL;
    stands(!next, || "phase is OVER, but the next deal follows from deal_seed")
}

/// No match comes to more, one way or the other.
fn totals_fit(state: &State) -> Stands {
    stands(state.totals.0.iter().all(|total| total.abs() <= MOST), || format!("totals are beyond {MOST}"))
}

/// What only a whole table must be.
fn whole_table_fits(state: &State) -> Stands {
    let played: i64 = state.played.iter().map(|contract| i64::from(contract.sum())).sum();
    let totals: i64 = state.totals.0.iter().map(|&total| i64::from(total)).sum();
    stands(totals == played, || format!("totals add up to {totals}, played_contracts to {played}"))?;
    if state.deal_number > 1 {
        return Ok(());
    }
    let in_hand = Seat::FOUR.into_iter().find(|&seat| state.hands[seat].contains(SEVEN_OF_HEARTS));
    let in_trick = state.trick.plays().find(|&(_, card)| card == SEVEN_OF_HEARTS).map(|(seat, _)| seat);
    let holder = in_hand.or(in_trick);
    stands(holder.is_none_or(|holder| holder == state.owner), || "7H is not the owner's in deal 1")
}

fn stands<T: Into<String>>(holds: bool, fault: impl FnOnce() -> T) -> Stands {
    if holds { Ok(()) } else { Err(Fault(fault().into())) }
}
