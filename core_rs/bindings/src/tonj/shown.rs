//! What an audience may read of each Tonj event (T32, T35).
//!
//! Every pattern names every field: a field that nobody has classified here does not compile.

use majlis_rules::{
    card::Card,
    game::EndReason,
    games::tonj::{Cause, Event, FaultClass, TurnEnd},
};

use super::action;
use crate::{
    audience::Audience,
    card,
    crapette::write_place,
    outcome,
    wire::v1::{self, event::Kind, tonj_event as message},
};

/// The cards that a deal turns face up: reserve tops by seat, then the houses' first cards.
pub(crate) type FaceUp = ([Card; 2], [Card; 8]);

/// The event as the audience may read it. `face_up` tells what hand's deal turns up; it is not asked for the log.
pub(crate) fn shown(event: &Event, audience: Audience, face_up: impl FnOnce(u32) -> Option<FaceUp>) -> Kind {
    match *event {
        Event::Dealt { hand_number, starter, drawn } => {
            let cards = if audience == Audience::Log { None } else { face_up(hand_number) };
            let (tops, houses) = cards.map_or((Vec::new(), Vec::new()), |(tops, houses)| {
                (tops.map(card::write).to_vec(), houses.map(card::write).to_vec())
            });
            tonj(message::Kind::Dealt(message::Dealt {
                hand_number,
                starter: starter.number().into(),
                drawn,
                reserve_tops: tops,
                houses,
            }))
        }
        Event::TurnStarted { seat, turn_number } => {
            tonj(message::Kind::TurnStarted(message::TurnStarted { seat: seat.number().into(), turn_number }))
        }
        Event::WasteRecycled { seat, count } => {
            tonj(message::Kind::WasteRecycled(message::WasteRecycled { seat: seat.number().into(), count }))
        }
        Event::CardRevealed { seat, card, cause } => tonj(message::Kind::CardRevealed(message::CardRevealed {
            seat: seat.number().into(),
            card: Some(card::write(card)),
            cause: write_cause(cause),
        })),
        Event::CardsMoved { seat, from, to, ref cards, cause, turned_up } => {
            tonj(message::Kind::CardsMoved(message::CardsMoved {
                seat: seat.number().into(),
                from: Some(write_place(from)),
                to: Some(write_place(to)),
                cards: cards.iter().copied().map(card::write).collect(),
                cause: write_cause(cause),
                turned_up: turned_up.map(card::write),
            }))
        }
        Event::CardDiscarded { seat, card, cause } => tonj(message::Kind::CardDiscarded(message::CardDiscarded {
            seat: seat.number().into(),
            card: Some(card::write(card)),
            cause: write_cause(cause),
        })),
        Event::ClaimOpened { offender, ref attempt, class } => {
            // What was wrong is told to nobody before the claim closes, and then by ClaimResolved (T32).
            let told = match audience {
                Audience::Log | Audience::Replay => write_class(class),
                Audience::Viewer(_) => message::FaultClass::Unspecified as i32,
            };
            tonj(message::Kind::ClaimOpened(message::ClaimOpened {
                offender: offender.number().into(),
                attempt: Some(action::write(attempt)),
                fault_class: told,
            }))
        }
        Event::ClaimResolved { called, class } => {
            tonj(message::Kind::ClaimResolved(message::ClaimResolved { called, fault_class: write_class(class) }))
        }
        Event::TimedOut { seat, clock } => {
            Kind::TimedOut(v1::TimedOut { seat: seat.number().into(), kind: crate::clock::write_kind(clock) as i32 })
        }
        Event::TurnEnded { seat, by } => {
            let by = match by {
                TurnEnd::Discard => message::TurnEnd::Discard,
                TurnEnd::Called => message::TurnEnd::Called,
                TurnEnd::Asked => message::TurnEnd::Asked,
                TurnEnd::NoMove => message::TurnEnd::NoMove,
            };
            tonj(message::Kind::TurnEnded(message::TurnEnded { seat: seat.number().into(), by: by as i32 }))
        }
        Event::HandEnded { reason, winner, burdens, points, totals } => {
            let by = match reason {
                EndReason::Stalemate => message::HandEnd::Stalemate,
                EndReason::PlayedOut | EndReason::Resigned | EndReason::TurnLimit => message::HandEnd::PlayedOut,
            };
            tonj(message::Kind::HandEnded(message::HandEnded {
                by: by as i32,
                winner: winner.map(|seat| seat.number().into()),
                burdens: burdens.to_vec(),
                points: points.to_vec(),
                totals: totals.to_vec(),
            }))
        }
        Event::Resigned { seat } => Kind::Resigned(v1::Resigned { seat: seat.number().into() }),
        Event::MatchEnded { reason: _, winners: _, totals: _ } => {
            Kind::MatchEnded(v1::MatchEnded { outcome: outcome(event) })
        }
    }
}

/// The outcome that an event brings, if it ends the match.
pub(crate) fn outcome(event: &Event) -> Option<v1::Outcome> {
    match event {
        Event::MatchEnded { reason, winners, totals } => {
            Some(outcome::write(*reason, winners, totals.iter().map(|&total| total as i32)))
        }
        _ => None,
    }
}

fn tonj(kind: message::Kind) -> Kind {
    Kind::Tonj(v1::TonjEvent { kind: Some(kind) })
}

fn write_cause(cause: Cause) -> i32 {
    (match cause {
        Cause::Player => message::Cause::Player,
        Cause::Claim => message::Cause::Claim,
        Cause::Clock => message::Cause::Clock,
    }) as i32
}

fn write_class(class: FaultClass) -> i32 {
    (match class {
        FaultClass::Build => message::FaultClass::Build,
        FaultClass::Priority => message::FaultClass::Priority,
    }) as i32
}
