//! The Trix table as a viewer sees it (X13): the rules' own allow-list, written as a message.

use majlis_rules::{
    card::{Card, Suit},
    game::Rules,
    games::trix::{Phase, State, Trix},
    seat::Seat,
};

use super::{action, contract};
use crate::{
    audience::Viewer,
    card,
    wire::v1::{self, trix_view as message},
};

/// The table; absent before the first deal.
pub(crate) fn write(state: &State, viewer: Viewer) -> Option<v1::TrixView> {
    let phase = match state.phase() {
        Phase::NotDealt => return None,
        Phase::Choosing => message::Phase::Choosing,
        Phase::Doubling => message::Phase::Doubling,
        Phase::Tricks => message::Phase::Tricks,
        Phase::Layout => message::Phase::Layout,
        Phase::DealOver | Phase::MatchOver => message::Phase::Over,
    };
    let view = state.view(viewer.seat());
    Some(v1::TrixView {
        deal_number: view.deal_number,
        kingdom: view.kingdom,
        owner: view.owner.number().into(),
        phase: phase as i32,
        contract: view.contract.map_or(v1::Contract::Unspecified, contract::write) as i32,
        played_contracts: view.played.iter().map(|&played| contract::write(played) as i32).collect(),
        turn_seat: view.turn_seat.map(|seat| seat.number().into()),
        hand: view.hand.iter().map(card::write).collect(),
        hand_counts: view.hand_counts.to_vec(),
        doubled: view
            .doubled
            .iter()
            .map(|&(seat, card)| message::Doubled { seat: seat.number().into(), card: Some(card::write(card)) })
            .collect(),
        trick: view.trick.iter().map(write_play).collect(),
        last_trick: view.last_trick.iter().map(write_play).collect(),
        rows: view
            .rows
            .iter()
            .map(|&(suit, low, high)| message::Row {
                suit: write_suit(suit),
                low: low.number().into(),
                high: high.number().into(),
            })
            .collect(),
        finished: view.finished.iter().map(|seat| seat.number().into()).collect(),
        deal_points: view.deal_points.to_vec(),
        totals: view.totals.to_vec(),
        tricks_taken: view.tricks_taken.to_vec(),
        taken: view
            .taken
            .iter()
            .map(|cards| message::Taken { cards: cards.iter().copied().map(card::write).collect() })
            .collect(),
    })
}

fn write_play(&(seat, card): &(Seat, Card)) -> message::Play {
    message::Play { seat: seat.number().into(), card: Some(card::write(card)) }
}

fn write_suit(suit: Suit) -> i32 {
    i32::from(suit.index()) + 1
}

/// What a seat may do now, if it is on turn or asked; whether it is asked is in its own hand alone (X4).
pub(crate) fn legal(state: &State, seat: Seat) -> Option<Vec<v1::TrixAction>> {
    if Trix::on_turn(state) != Some(seat) && !state.may_double(seat) {
        return None;
    }
    let mut actions = Vec::new();
    Trix::legal_actions(state, seat, &mut actions);
    Some(actions.iter().map(action::write).collect())
}

/// The seat on turn; nobody is named while cards may be doubled (X5).
pub(crate) fn awaited(state: &State) -> Vec<u32> {
    Trix::on_turn(state).map(|seat| seat.number().into()).into_iter().collect()
}
