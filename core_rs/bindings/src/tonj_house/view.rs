//! The table of the house edition as everybody sees it: the rules' own allow-list, written as a message.

use majlis_rules::{
    game::Rules,
    games::tonj_house::{Phase, State, TonjHouse},
    seat::Seat,
};

use super::action;
use crate::{
    card,
    crapette::{write_foundation, write_houses, write_side},
    wire::v1,
};

/// The table; absent before the deal.
pub(crate) fn write(state: &State) -> Option<v1::TonjHouseView> {
    if state.phase() == Phase::NotDealt {
        return None;
    }
    let view = state.view();
    Some(v1::TonjHouseView {
        turn_number: view.turn_number,
        turn_seat: view.turn_seat.number().into(),
        sides: view.sides.iter().map(write_side).collect(),
        houses: write_houses(&view.houses),
        foundations: view.foundations.iter().map(write_foundation).collect(),
        retired: view.retired.iter().map(|suit| i32::from(suit.index()) + 1).collect(),
        opened: view.opened.map(card::write),
        moves_left: view.moves_left,
        passes: view.passes,
        starter: view.starter.number().into(),
    })
}

/// What a seat may do now, if it is on turn.
pub(crate) fn legal(state: &State, seat: Seat) -> Option<Vec<v1::TonjHouseAction>> {
    if TonjHouse::to_act(state) != Some(seat) {
        return None;
    }
    let mut actions = Vec::new();
    TonjHouse::legal_actions(state, seat, &mut actions);
    Some(actions.iter().map(action::write).collect())
}

/// The seat on turn.
pub(crate) fn awaited(state: &State) -> Vec<u32> {
    TonjHouse::to_act(state).map(|seat| seat.number().into()).into_iter().collect()
}
