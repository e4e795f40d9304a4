//! Folding events. [`apply`] trusts its event and only keeps the books; [`evolve`] first asks `damage.rs` whether the
//! event can have followed. Nothing here decides anything, so a log folds the same under any later judgement.

use super::card_set::CardSet;
use super::contract::Contract;
use super::damage::check;
use super::deal::dealt_hands;
use super::event::Event;
use super::four::Four;
use super::state::{KINGDOM, Phase, State};
use super::taken::Taken;
use super::trick::Trick;
use crate::card::Card;
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
        Event::Dealt { deal_number, owner } => deal(state, *deal_number, *owner),
        Event::ContractChosen { contract } => begin_contract(state, *contract),
        Event::DoubleAnswered { seat, cards } => state.answers[*seat] = Some(*cards),
        Event::DoublesShown { doubled } => {
            state.answers = Four::default();
            state.doubled = Four(*doubled);
            begin_play(state, Phase::Tricks);
        }
        Event::CardPlayed { seat, card } => play_card(state, *seat, *card),
        Event::Passed { .. } => pass_turn(state),
        Event::TrickTaken { seat } => take_trick(state, *seat),
        Event::DealScored { points, .. } => {
            state.phase = Phase::DealOver;
            state.points = Four(*points);
        }
        // The play that follows is an event of its own.
        Event::TimedOut { .. } => {}
        Event::Resigned { seat } => state.away[*seat] = true,
        Event::Returned { seat } => state.away[*seat] = false,
        Event::MatchEnded { winners, .. } => {
            state.phase = Phase::MatchOver;
            state.winners.clone_from(winners);
        }
    }
}

fn deal(state: &mut State, deal_number: u32, owner: Seat) {
    if let Some(deal) = &state.deal {
        state.hands = dealt_hands(deal, deal_number);
    }
    state.totals = state.totals();
    let last = state.contract.take();
    if deal_number % KINGDOM == 1 {
        state.played.clear();
    } else {
        state.played.extend(last);
    }
    state.phase = Phase::Choosing;
    state.deal_number = deal_number;
    state.owner = owner;
    state.turn = owner;
    state.answers = Four::default();
    state.doubled = Four::default();
    state.trick = Trick::led_by(owner);
    state.last_trick = Trick::led_by(owner);
    state.taken = Taken::default();
    state.tricks_taken = Four::default();
    state.laid = CardSet::EMPTY;
    state.finished.clear();
    state.points = Four::default();
    state.clocks_started = state.clocks_started.wrapping_add(1);
}

/// Where nobody holds a card that could be doubled, there is no window (X4).
fn begin_contract(state: &mut State, contract: Contract) {
    state.contract = Some(contract);
    if Seat::FOUR.into_iter().any(|seat| !state.doublable(seat).is_empty()) {
        state.phase = Phase::Doubling;
        state.clocks_started = state.clocks_started.wrapping_add(1);
    } else {
        begin_play(state, if contract == Contract::Trix { Phase::Layout } else { Phase::Tricks });
    }
}

fn begin_play(state: &mut State, phase: Phase) {
    state.phase = phase;
    state.turn = state.owner;
    state.clocks_started = state.clocks_started.wrapping_add(1);
}

fn play_card(state: &mut State, seat: Seat, card: Card) {
    state.hands[seat].remove(card);
    if state.phase == Phase::Tricks {
        state.trick.cards.push(card);
    } else {
        state.laid.insert(card);
        if state.hands[seat].is_empty() {
            state.count_finish(seat);
        }
    }
    pass_turn(state);
}

/// The turn of the next seat; in the layout of the next that still holds cards (X10).
fn pass_turn(state: &mut State) {
    state.clocks_started = state.clocks_started.wrapping_add(1);
    state.turn = state.turn.next_of_four();
    if state.phase == Phase::Layout {
        for _ in 0..3 {
            if state.hands[state.turn].is_empty() {
                state.turn = state.turn.next_of_four();
            }
        }
    }
}

fn take_trick(state: &mut State, taker: Seat) {
    let trick = std::mem::replace(&mut state.trick, Trick::led_by(taker));
    state.count_tricks(taker, 1);
    state.count_cards(taker, &trick.cards);
    state.taken.take(taker, &trick);
    state.tricks_taken[taker] += 1;
    state.last_trick = trick;
    state.turn = taker;
}
