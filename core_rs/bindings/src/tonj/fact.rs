//! Tonj's events read back from the log or from a replay. Whether they follow is for the rules to say.

use majlis_rules::{
    game::EndReason,
    games::tonj::{Cards, Cause, Event, FaultClass, TurnEnd},
    seat::Seat,
};

use super::action;
use crate::{
    card, clock,
    crapette::read_place,
    outcome,
    wire::v1::{event::Kind, tonj_event as message},
};

/// The event, or `None` if the message lacks something or holds what this version does not know.
pub(crate) fn read(kind: &Kind) -> Option<Event> {
    match kind {
        Kind::TimedOut(fact) => Some(Event::TimedOut { seat: seat(fact.seat)?, clock: clock::read_kind(fact.kind())? }),
        Kind::Resigned(fact) => Some(Event::Resigned { seat: seat(fact.seat)? }),
        Kind::MatchEnded(fact) => {
            let told = fact.outcome.as_ref()?;
            if told.winner_seats.len() > 2 {
                return None;
            }
            Some(Event::MatchEnded {
                reason: outcome::read_reason(told.reason())?,
                winners: told.winner_seats.iter().map(|&number| seat(number)).collect::<Option<_>>()?,
                totals: by_seat(
                    &told.totals.iter().map(|&total| u32::try_from(total).ok()).collect::<Option<Vec<_>>>()?,
                )?,
            })
        }
        Kind::Tonj(fact) => read_tonj(fact.kind.as_ref()?),
        Kind::Trix(_)
        | Kind::TonjHouse(_)
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

fn read_tonj(kind: &message::Kind) -> Option<Event> {
    Some(match kind {
        message::Kind::Dealt(fact) => {
            Event::Dealt { hand_number: fact.hand_number, starter: seat(fact.starter)?, drawn: fact.drawn }
        }
        message::Kind::CardsMoved(fact) => {
            let cards: Vec<_> = fact.cards.iter().map(card::read).collect::<Option<_>>()?;
            Event::CardsMoved {
                seat: seat(fact.seat)?,
                from: read_place(fact.from.as_ref()?)?,
                to: read_place(fact.to.as_ref()?)?,
                cards: Cards::try_from(cards.as_slice()).ok()?,
                cause: read_cause(fact.cause())?,
                turned_up: card::read_optional(fact.turned_up.as_ref())?,
            }
        }
        message::Kind::CardRevealed(fact) => Event::CardRevealed {
            seat: seat(fact.seat)?,
            card: card::read(fact.card.as_ref()?)?,
            cause: read_cause(fact.cause())?,
        },
        message::Kind::CardDiscarded(fact) => Event::CardDiscarded {
            seat: seat(fact.seat)?,
            card: card::read(fact.card.as_ref()?)?,
            cause: read_cause(fact.cause())?,
        },
        message::Kind::WasteRecycled(fact) => Event::WasteRecycled { seat: seat(fact.seat)?, count: fact.count },
        message::Kind::TurnStarted(fact) => {
            Event::TurnStarted { seat: seat(fact.seat)?, turn_number: fact.turn_number }
        }
        message::Kind::TurnEnded(fact) => Event::TurnEnded {
            seat: seat(fact.seat)?,
            by: match fact.by() {
                message::TurnEnd::Unspecified => return None,
                message::TurnEnd::Discard => TurnEnd::Discard,
                message::TurnEnd::Called => TurnEnd::Called,
                message::TurnEnd::Asked => TurnEnd::Asked,
                message::TurnEnd::NoMove => TurnEnd::NoMove,
            },
        },
        message::Kind::ClaimOpened(fact) => Event::ClaimOpened {
            offender: seat(fact.offender)?,
            attempt: action::read(fact.attempt.as_ref()?, "").ok()?,
            class: read_class(fact.fault_class())?,
        },
        message::Kind::ClaimResolved(fact) => {
            Event::ClaimResolved { called: fact.called, class: read_class(fact.fault_class())? }
        }
        message::Kind::HandEnded(fact) => Event::HandEnded {
            reason: match fact.by() {
                message::HandEnd::Unspecified => return None,
                message::HandEnd::PlayedOut => EndReason::PlayedOut,
                message::HandEnd::Stalemate => EndReason::Stalemate,
            },
            winner: match fact.winner {
                Some(winner) => Some(seat(winner)?),
                None => None,
            },
            burdens: by_seat(&fact.burdens)?,
            points: by_seat(&fact.points)?,
            totals: by_seat(&fact.totals)?,
        },
    })
}

fn seat(number: u32) -> Option<Seat> {
    Seat::at_table(number, 2)
}

fn by_seat(numbers: &[u32]) -> Option<[u32; 2]> {
    numbers.try_into().ok()
}

fn read_cause(cause: message::Cause) -> Option<Cause> {
    match cause {
        message::Cause::Unspecified => None,
        message::Cause::Player => Some(Cause::Player),
        message::Cause::Claim => Some(Cause::Claim),
        message::Cause::Clock => Some(Cause::Clock),
    }
}

fn read_class(class: message::FaultClass) -> Option<FaultClass> {
    match class {
        message::FaultClass::Unspecified => None,
        message::FaultClass::Build => Some(FaultClass::Build),
        message::FaultClass::Priority => Some(FaultClass::Priority),
    }
}

/// An event's name, for metrics.
pub(crate) fn name(event: &Event) -> &'static str {
    match event {
        Event::Dealt { .. } => "dealt",
        Event::CardsMoved { .. } => "cards_moved",
        Event::CardRevealed { .. } => "card_revealed",
        Event::CardDiscarded { .. } => "card_discarded",
        Event::WasteRecycled { .. } => "waste_recycled",
        Event::TurnStarted { .. } => "turn_started",
        Event::TurnEnded { .. } => "turn_ended",
        Event::ClaimOpened { .. } => "claim_opened",
        Event::ClaimResolved { .. } => "claim_resolved",
        Event::TimedOut { .. } => "timed_out",
        Event::HandEnded { .. } => "hand_ended",
        Event::Resigned { .. } => "resigned",
        Event::MatchEnded { .. } => "match_ended",
    }
}
