//! The Tonj table as everybody sees it (T35): the rules' own allow-list, written as a message.

use majlis_rules::{
    game::Rules,
    games::tonj::{Phase, State, Tonj},
    seat::Seat,
};

use super::action;
use crate::{
    card,
    crapette::{write_foundation, write_houses, write_side},
    wire::v1,
};

/// The table; absent before the first deal.
pub(crate) fn write(state: &State) -> Option<v1::TonjView> {
    if state.phase() == Phase::NotDealt {
        return None;
    }
    let view = state.view();
    Some(v1::TonjView {
        hand_number: view.hand_number,
        turn_number: view.turn_number,
        turn_seat: view.turn_seat.number().into(),
        sides: view.sides.iter().map(write_side).collect(),
        houses: write_houses(&view.houses),
        foundations: view.foundations.iter().map(write_foundation).collect(),
        pending: view.pending.map(card::write),
        claim: view.claim.map(|claim| v1::tonj_view::Claim {
            offender: claim.offender.number().into(),
            attempt: Some(action::write(&claim.attempt)),
        }),
        transfers_left: view.transfers_left,
        claims_left: view.claims_left,
        starter: view.starter.number().into(),
    })
}

/// What a seat may do now, if it is on turn.
pub(crate) fn legal(state: &State, seat: Seat) -> Option<Vec<v1::TonjAction>> {
    if Tonj::to_act(state) != Some(seat) {
        return None;
    }
    let mut actions = Vec::new();
    Tonj::legal_actions(state, seat, &mut actions);
    Some(actions.iter().map(action::write).collect())
}

/// The seats whose action is awaited: the one on turn, or the one who may call.
pub(crate) fn awaited(state: &State) -> Vec<u32> {
    if Tonj::clock(state).is_none() {
        return Vec::new();
    }
    let seat = state.claim().map_or(state.turn_seat(), |claim| claim.offender.opponent());
    vec![seat.number().into()]
}
