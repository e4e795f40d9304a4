//! Doubling answers, which nobody but their seat learns of (X5, X16): to the log, sealed there, and back.

use majlis_rules::{
    games::trix::{Event, Named},
    seat::Seat,
};

use crate::{card, wire::log};

/// A hidden event as the log keeps it; `None` for all others.
pub(crate) fn write(event: &Event) -> Option<log::secret::Kind> {
    match *event {
        Event::DoubleAnswered { seat, cards } => Some(log::secret::Kind::TrixAnswer(log::TrixAnswer {
            seat: seat.number().into(),
            cards: cards.iter().map(card::write).collect(),
        })),
        Event::Dealt { .. }
        | Event::ContractChosen { .. }
        | Event::DoublesShown { .. }
        | Event::CardPlayed { .. }
        | Event::Passed { .. }
        | Event::TrickTaken { .. }
        | Event::DealScored { .. }
        | Event::TimedOut { .. }
        | Event::Resigned { .. }
        | Event::Returned { .. }
        | Event::MatchEnded { .. } => None,
    }
}

/// The event read back; `None` if it is none that this version knows.
pub(crate) fn read(kind: &log::secret::Kind) -> Option<Event> {
    let log::secret::Kind::TrixAnswer(answer) = kind;
    let named = answer.cards.iter().map(card::read).collect::<Option<Named>>()?;
    (!named.twice).then_some(Event::DoubleAnswered { seat: Seat::at_table(answer.seat, 4)?, cards: named.cards })
}
