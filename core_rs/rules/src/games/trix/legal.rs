//! What a seat may do now (X3, X4, X6, X10).

use super::action::{Action, Named};
use super::card_set::CardSet;
use super::contract::Contract;
use super::state::{Phase, State};
use crate::seat::Seat;

/// The contracts that the owner may still pick (X3).
pub(super) fn contracts(state: &State) -> impl Iterator<Item = Contract> {
    Contract::ALL.into_iter().filter(|contract| !state.played.contains(contract))
}

/// The cards that the seat on turn may play; in the layout none if it must pass.
#[inline]
pub(super) fn cards(state: &State) -> CardSet {
    let hand = state.hands[state.turn];
    match state.phase {
        Phase::Tricks => match state.trick.suit().map(|suit| hand.intersection(CardSet::of_suit(suit))) {
            Some(following) if !following.is_empty() => following,
            _ => hand,
        },
        Phase::Layout => hand.intersection(fitting(state.laid)),
        _ => CardSet::EMPTY,
    }
}

/// What fits rows made of `laid`: the jack of an unopened suit, and the next card at either end of an opened one (X10).
#[inline]
pub(super) const fn fitting(laid: CardSet) -> CardSet {
    laid.neighbours().union(CardSet::JACKS).difference(laid)
}

/// Writes every action of `seat` that would be accepted over what `actions` held.
pub(super) fn legal_actions(state: &State, seat: Seat, actions: &mut Vec<Action>) {
    actions.clear();
    if state.may_double(seat) {
        let answers = state.doublable(seat).subsets();
        actions.extend(answers.map(|cards| Action::AnswerDouble(Named { cards, twice: false })));
    }
    if state.on_turn() != Some(seat) {
        return;
    }
    if state.phase == Phase::Choosing {
        actions.extend(contracts(state).map(Action::ChooseContract));
        return;
    }
    actions.extend(cards(state).iter().map(Action::PlayCard));
    if actions.is_empty() {
        actions.push(Action::Pass);
    }
}
