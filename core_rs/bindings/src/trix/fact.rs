//! Trix's events read back from the log or from a replay. Whether they follow is for the rules to say.

use majlis_rules::{
    games::trix::{CardSet, Event},
    seat::Seat,
};

use super::contract;
use crate::{
    card, clock, outcome,
    wire::v1::{self, event::Kind, trix_event as message},
};

/// The event, or `None` if the message lacks something or holds what this version does not know.
pub(crate) fn read(kind: &Kind) -> Option<Event> {
    match kind {
        Kind::TimedOut(fact) => Some(Event::TimedOut { seat: seat(fact.seat)?, clock: clock::read_kind(fact.kind())? }),
        Kind::Resigned(fact) => Some(Event::Resigned { seat: seat(fact.seat)? }),
        Kind::Returned(fact) => Some(Event::Returned { seat: seat(fact.seat)? }),
        Kind::MatchEnded(fact) => {
            let told = fact.outcome.as_ref()?;
            if told.winner_seats.len() > 4 {
                return None;
            }
            Some(Event::MatchEnded {
                reason: outcome::read_reason(told.reason())?,
                winners: told.winner_seats.iter().map(|&number| seat(number)).collect::<Option<_>>()?,
                totals: by_seat(&told.totals)?,
            })
        }
        Kind::Trix(fact) => read_trix(fact.kind.as_ref()?),
        Kind::Tonj(_)
        | Kind::TonjHouse(_)
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

fn read_trix(kind: &message::Kind) -> Option<Event> {
    Some(match kind {
        // Hands are not read: they follow from the seed.
        message::Kind::Dealt(fact) => Event::Dealt { deal_number: fact.deal_number, owner: seat(fact.owner)? },
        message::Kind::ContractChosen(fact) => Event::ContractChosen { contract: contract::read(fact.contract)? },
        message::Kind::DoublesShown(fact) => Event::DoublesShown { doubled: read_doubled(&fact.doubled)? },
        message::Kind::CardPlayed(fact) => {
            Event::CardPlayed { seat: seat(fact.seat)?, card: card::read(fact.card.as_ref()?)? }
        }
        message::Kind::Passed(fact) => Event::Passed { seat: seat(fact.seat)? },
        message::Kind::TrickTaken(fact) => Event::TrickTaken { seat: seat(fact.seat)? },
        message::Kind::DealScored(fact) => {
            Event::DealScored { points: by_seat(&fact.points)?, totals: by_seat(&fact.totals)? }
        }
    })
}

fn read_doubled(doubled: &[v1::trix_view::Doubled]) -> Option<[CardSet; 4]> {
    let mut sets = [CardSet::default(); 4];
    for told in doubled {
        sets.get_mut(seat(told.seat)?.index())?.insert(card::read(told.card.as_ref()?)?);
    }
    Some(sets)
}

fn seat(number: u32) -> Option<Seat> {
    Seat::at_table(number, 4)
}

fn by_seat(numbers: &[i32]) -> Option<[i32; 4]> {
    numbers.try_into().ok()
}

/// An event's name, for metrics.
pub(crate) fn name(event: &Event) -> &'static str {
    match event {
        Event::Dealt { .. } => "dealt",
        Event::ContractChosen { .. } => "contract_chosen",
        Event::DoubleAnswered { .. } => "double_answered",
        Event::DoublesShown { .. } => "doubles_shown",
        Event::CardPlayed { .. } => "card_played",
        Event::Passed { .. } => "passed",
        Event::TrickTaken { .. } => "trick_taken",
        Event::DealScored { .. } => "deal_scored",
        Event::TimedOut { .. } => "timed_out",
        Event::Resigned { .. } => "resigned",
        Event::Returned { .. } => "returned",
        Event::MatchEnded { .. } => "match_ended",
    }
}
