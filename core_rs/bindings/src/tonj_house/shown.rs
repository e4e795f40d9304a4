//! What an audience may read of each event of the house edition: all of it, since no event names a card that lies face
//! down.
//!
//! Every pattern names every field: a field that nobody has classified here does not compile.

use majlis_rules::{
    card::Card,
    games::tonj_house::{Cause, Event, TurnEnd},
};

use super::action;
use crate::{
    audience::Audience,
    card,
    crapette::write_place,
    outcome as ending,
    wire::v1::{self, event::Kind, tonj_house_event as message},
};

/// The cards that the deal turns face up: Tonj tops by seat, then the houses' first cards.
pub(crate) type FaceUp = ([Card; 2], [Card; 8]);

/// The event as the audience may read it. `face_up` tells what the deal turns up; it is not asked for the log.
pub(crate) fn shown(event: &Event, audience: Audience, face_up: impl FnOnce() -> Option<FaceUp>) -> Kind {
    match *event {
        Event::Dealt { starter, drawn } => {
            let cards = if audience == Audience::Log { None } else { face_up() };
            let (tops, houses) = cards.map_or((Vec::new(), Vec::new()), |(tops, houses)| {
                (tops.map(card::write).to_vec(), houses.map(card::write).to_vec())
            });
            house(message::Kind::Dealt(message::Dealt {
                starter: starter.number().into(),
                drawn,
                reserve_tops: tops,
                houses,
            }))
        }
        Event::TurnStarted { seat, turn_number } => {
            house(message::Kind::TurnStarted(message::TurnStarted { seat: seat.number().into(), turn_number }))
        }
        Event::WasteTurned { seat, count } => {
            house(message::Kind::WasteTurned(message::WasteTurned { seat: seat.number().into(), count }))
        }
        Event::CardOpened { seat, card } => house(message::Kind::CardOpened(message::CardOpened {
            seat: seat.number().into(),
            card: Some(card::write(card)),
        })),
        Event::CardMoved { seat, from, to, card, cause, turned_up } => {
            house(message::Kind::CardMoved(message::CardMoved {
                seat: seat.number().into(),
                from: Some(write_place(from)),
                to: Some(write_place(to)),
                card: Some(card::write(card)),
                cause: write_cause(cause),
                turned_up: turned_up.map(card::write),
            }))
        }
        Event::FoundationRetired { slot, suit } => {
            house(message::Kind::FoundationRetired(message::FoundationRetired {
                index: slot.number().into(),
                suit: i32::from(suit.index()) + 1,
            }))
        }
        Event::CardDiscarded { seat, card, cause } => house(message::Kind::CardDiscarded(message::CardDiscarded {
            seat: seat.number().into(),
            card: Some(card::write(card)),
            cause: write_cause(cause),
        })),
        Event::Penalised { seat, ref attempt, returned, source, from_stock, from_waste, turned_up } => {
            house(message::Kind::Penalised(message::Penalised {
                seat: seat.number().into(),
                attempt: Some(action::write(attempt)),
                returned: returned.map(card::write),
                source: source.number().into(),
                from_stock,
                from_waste,
                turned_up: turned_up.map(card::write),
            }))
        }
        Event::Passed { seat, cause } => {
            house(message::Kind::Passed(message::Passed { seat: seat.number().into(), cause: write_cause(cause) }))
        }
        Event::TurnEnded { seat, by } => {
            let by = match by {
                TurnEnd::Discard => message::TurnEnd::Discard,
                TurnEnd::Pass => message::TurnEnd::Pass,
                TurnEnd::Penalty => message::TurnEnd::Penalty,
                TurnEnd::MoveLimit => message::TurnEnd::MoveLimit,
            };
            house(message::Kind::TurnEnded(message::TurnEnded { seat: seat.number().into(), by: by as i32 }))
        }
        Event::TimedOut { seat, clock } => {
            Kind::TimedOut(v1::TimedOut { seat: seat.number().into(), kind: crate::clock::write_kind(clock) as i32 })
        }
        Event::Resigned { seat } => Kind::Resigned(v1::Resigned { seat: seat.number().into() }),
        Event::MatchEnded { reason: _, winner: _, cards: _, settlement: _ } => {
            Kind::MatchEnded(v1::MatchEnded { outcome: outcome(event) })
        }
    }
}

/// The outcome that an event brings, if it ends the match: all of it is public. There are no points.
pub(crate) fn outcome(event: &Event) -> Option<v1::Outcome> {
    let Event::MatchEnded { reason, winner, cards, settlement } = event else {
        return None;
    };
    let winners = match winner {
        Some(winner) => vec![*winner],
        None => majlis_rules::seat::Seat::FOUR.into_iter().take(2).collect(),
    };
    Some(v1::Outcome {
        settlement: Some(ending::write_settlement(settlement)),
        cards_left: cards.to_vec(),
        ..ending::write(*reason, &winners, [0, 0])
    })
}

fn house(kind: message::Kind) -> Kind {
    Kind::TonjHouse(v1::TonjHouseEvent { kind: Some(kind) })
}

fn write_cause(cause: Cause) -> i32 {
    (match cause {
        Cause::Player => message::Cause::Player,
        Cause::Clock => message::Cause::Clock,
        Cause::Rule => message::Cause::Rule,
    }) as i32
}
