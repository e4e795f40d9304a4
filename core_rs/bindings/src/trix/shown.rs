//! What an audience may read of each Trix event (X5, X11, X13, X16).
//!
//! Every pattern names every field: a field that nobody has classified here does not compile.

use majlis_rules::{
    games::trix::{CardSet, Event},
    seat::Seat,
};

use super::contract;
use crate::{
    audience::{Audience, Viewer},
    card, outcome as ending,
    wire::v1::{self, event::Kind, trix_event as message},
};

/// The event as the audience may read it; `None` for a doubling answer, which is told to nobody. `hands` tells what a
/// deal dealt, by seat; it is not asked for the log.
pub(crate) fn shown(
    event: &Event,
    audience: Audience,
    hands: impl FnOnce(u32) -> Option<[CardSet; 4]>,
) -> Option<Kind> {
    Some(match *event {
        Event::Dealt { deal_number, owner } => {
            let (hand, hands) = match audience {
                Audience::Log | Audience::Viewer(Viewer::Spectator) => (Vec::new(), Vec::new()),
                Audience::Viewer(Viewer::Seat(seat)) => (hand_of(hands(deal_number), seat), Vec::new()),
                Audience::Replay => (Vec::new(), all_of(hands(deal_number))),
            };
            let kingdom = deal_number.saturating_sub(1) / 5 + 1;
            trix(message::Kind::Dealt(message::Dealt {
                deal_number,
                kingdom,
                owner: owner.number().into(),
                hand,
                hands,
            }))
        }
        Event::ContractChosen { contract } => {
            trix(message::Kind::ContractChosen(message::ContractChosen { contract: contract::write(contract) as i32 }))
        }
        Event::DoubleAnswered { seat: _, cards: _ } => return None,
        Event::DoublesShown { ref doubled } => {
            let doubled = (0..).zip(doubled).flat_map(|(seat, cards)| {
                cards.iter().map(move |card| v1::trix_view::Doubled { seat, card: Some(card::write(card)) })
            });
            trix(message::Kind::DoublesShown(message::DoublesShown { doubled: doubled.collect() }))
        }
        Event::CardPlayed { seat, card } => trix(message::Kind::CardPlayed(message::CardPlayed {
            seat: seat.number().into(),
            card: Some(card::write(card)),
        })),
        Event::Passed { seat } => trix(message::Kind::Passed(message::Passed { seat: seat.number().into() })),
        Event::TrickTaken { seat } => {
            trix(message::Kind::TrickTaken(message::TrickTaken { seat: seat.number().into() }))
        }
        Event::DealScored { points, totals } => {
            trix(message::Kind::DealScored(message::DealScored { points: points.to_vec(), totals: totals.to_vec() }))
        }
        Event::TimedOut { seat, clock } => {
            Kind::TimedOut(v1::TimedOut { seat: seat.number().into(), kind: crate::clock::write_kind(clock) as i32 })
        }
        Event::Resigned { seat } => Kind::Resigned(v1::Resigned { seat: seat.number().into() }),
        Event::Returned { seat } => Kind::Returned(v1::Returned { seat: seat.number().into() }),
        Event::MatchEnded { reason: _, winners: _, totals: _ } => {
            Kind::MatchEnded(v1::MatchEnded { outcome: outcome(event) })
        }
    })
}

/// The outcome that an event brings, if it ends the match.
pub(crate) fn outcome(event: &Event) -> Option<v1::Outcome> {
    match event {
        Event::MatchEnded { reason, winners, totals } => Some(ending::write(*reason, winners, *totals)),
        _ => None,
    }
}

fn hand_of(hands: Option<[CardSet; 4]>, seat: Seat) -> Vec<v1::Card> {
    let hand = hands.as_ref().and_then(|hands| hands.get(seat.index()));
    hand.map(|hand| hand.iter().map(card::write).collect()).unwrap_or_default()
}

fn all_of(hands: Option<[CardSet; 4]>) -> Vec<message::Hand> {
    let written = |hand: &CardSet| message::Hand { cards: hand.iter().map(card::write).collect() };
    hands.map(|hands| hands.iter().map(written).collect()).unwrap_or_default()
}

fn trix(kind: message::Kind) -> Kind {
    Kind::Trix(v1::TrixEvent { kind: Some(kind) })
}
