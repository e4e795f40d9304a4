//! The house edition's events read back from the log or from a replay. Whether they follow is for the rules to say.

use majlis_rules::{
    card::Suit,
    games::tonj_house::{Cause, Event, TurnEnd},
    seat::Seat,
};

use super::action;
use crate::{
    card, clock,
    crapette::read_place,
    outcome,
    wire::v1::{self, event::Kind, tonj_house_event as message},
};

/// The event, or `None` if the message lacks something or holds what this version does not know.
pub(crate) fn read(kind: &Kind) -> Option<Event> {
    match kind {
        Kind::TimedOut(fact) => Some(Event::TimedOut { seat: seat(fact.seat)?, clock: clock::read_kind(fact.kind())? }),
        Kind::Resigned(fact) => Some(Event::Resigned { seat: seat(fact.seat)? }),
        Kind::MatchEnded(fact) => read_end(fact.outcome.as_ref()?),
        Kind::TonjHouse(fact) => read_house(fact.kind.as_ref()?),
        Kind::Tonj(_)
        | Kind::Trix(_)
        | Kind::Returned(_)
        | Kind::Hidden(_)
        | Kind::MatchCreated(_)
        | Kind::SeatTaken(_)
        | Kind::MatchStarted(_)
        | Kind::SeatLeft(_)
        | Kind::StakeConfirmed(_)
        | Kind::PlayerConnected(_)
        | Kind::ClockExtended(_) => None,
    }
}

fn read_end(told: &v1::Outcome) -> Option<Event> {
    let winner = match told.winner_seats.as_slice() {
        [winner] => Some(seat(*winner)?),
        [0, 1] => None,
        _ => return None,
    };
    Some(Event::MatchEnded {
        reason: outcome::read_reason(told.reason())?,
        winner,
        cards: told.cards_left.as_slice().try_into().ok()?,
        settlement: outcome::read_settlement(told.settlement.as_ref()?)?,
    })
}

fn read_house(kind: &message::Kind) -> Option<Event> {
    Some(match kind {
        message::Kind::Dealt(fact) => Event::Dealt { starter: seat(fact.starter)?, drawn: fact.drawn },
        message::Kind::TurnStarted(fact) => {
            Event::TurnStarted { seat: seat(fact.seat)?, turn_number: fact.turn_number }
        }
        message::Kind::WasteTurned(fact) => Event::WasteTurned { seat: seat(fact.seat)?, count: fact.count },
        message::Kind::CardOpened(fact) => {
            Event::CardOpened { seat: seat(fact.seat)?, card: card::read(fact.card.as_ref()?)? }
        }
        message::Kind::CardMoved(fact) => Event::CardMoved {
            seat: seat(fact.seat)?,
            from: read_place(fact.from.as_ref()?)?,
            to: read_place(fact.to.as_ref()?)?,
            card: card::read(fact.card.as_ref()?)?,
            cause: read_cause(fact.cause())?,
            turned_up: card::read_optional(fact.turned_up.as_ref())?,
        },
        message::Kind::FoundationRetired(fact) => Event::FoundationRetired {
            slot: majlis_rules::crapette::Slot::new(fact.index)?,
            suit: read_suit(fact.suit)?,
        },
        message::Kind::CardDiscarded(fact) => Event::CardDiscarded {
            seat: seat(fact.seat)?,
            card: card::read(fact.card.as_ref()?)?,
            cause: read_cause(fact.cause())?,
        },
        message::Kind::Penalised(fact) => Event::Penalised {
            seat: seat(fact.seat)?,
            attempt: action::read(fact.attempt.as_ref()?, "").ok()?,
            returned: card::read_optional(fact.returned.as_ref())?,
            source: seat(fact.source)?,
            from_stock: fact.from_stock,
            from_waste: fact.from_waste,
            turned_up: card::read_optional(fact.turned_up.as_ref())?,
        },
        message::Kind::Passed(fact) => Event::Passed { seat: seat(fact.seat)?, cause: read_cause(fact.cause())? },
        message::Kind::TurnEnded(fact) => Event::TurnEnded {
            seat: seat(fact.seat)?,
            by: match fact.by() {
                message::TurnEnd::Unspecified => return None,
                message::TurnEnd::Discard => TurnEnd::Discard,
                message::TurnEnd::Pass => TurnEnd::Pass,
                message::TurnEnd::Penalty => TurnEnd::Penalty,
                message::TurnEnd::MoveLimit => TurnEnd::MoveLimit,
            },
        },
    })
}

fn seat(number: u32) -> Option<Seat> {
    Seat::at_table(number, 2)
}

fn read_suit(suit: i32) -> Option<Suit> {
    Suit::ALL.get(usize::try_from(suit).ok()?.checked_sub(1)?).copied()
}

fn read_cause(cause: message::Cause) -> Option<Cause> {
    match cause {
        message::Cause::Unspecified => None,
        message::Cause::Player => Some(Cause::Player),
        message::Cause::Clock => Some(Cause::Clock),
        message::Cause::Rule => Some(Cause::Rule),
    }
}

/// An event's name, for metrics.
pub(crate) fn name(event: &Event) -> &'static str {
    match event {
        Event::Dealt { .. } => "dealt",
        Event::TurnStarted { .. } => "turn_started",
        Event::WasteTurned { .. } => "waste_turned",
        Event::CardOpened { .. } => "card_opened",
        Event::CardMoved { .. } => "card_moved",
        Event::FoundationRetired { .. } => "foundation_retired",
        Event::CardDiscarded { .. } => "card_discarded",
        Event::Penalised { .. } => "penalised",
        Event::Passed { .. } => "passed",
        Event::TurnEnded { .. } => "turn_ended",
        Event::TimedOut { .. } => "timed_out",
        Event::Resigned { .. } => "resigned",
        Event::MatchEnded { .. } => "match_ended",
    }
}
