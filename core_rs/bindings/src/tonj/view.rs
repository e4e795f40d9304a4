//! The Tonj table as everybody sees it (T35): the rules' own allow-list, written as a message.

use majlis_rules::{
    game::Rules,
    games::tonj::{Foundation, Phase, Side, State, Tonj},
    seat::Seat,
};

use super::action;
use crate::{card, wire::v1};

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
        houses: view
            .houses
            .iter()
            .map(|cards| v1::tonj_view::House { cards: cards.iter().copied().map(card::write).collect() })
            .collect(),
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

fn write_side(side: &Side) -> v1::tonj_view::Side {
    v1::tonj_view::Side {
        reserve_count: side.reserve_count,
        reserve_top: side.reserve_top.map(card::write),
        hand_count: side.hand_count,
        waste_count: side.waste_count,
        waste_top: side.waste_top.map(card::write),
        total: side.total as i32,
    }
}

fn write_foundation(foundation: &Foundation) -> v1::tonj_view::Foundation {
    v1::tonj_view::Foundation { top: foundation.top.map(card::write), count: foundation.count }
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
