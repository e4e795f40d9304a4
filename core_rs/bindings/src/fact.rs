//! The public facts of a match: those of its lifecycle and those of its game, each to and from the one event vocabulary.

use crate::{
    audience::Audience,
    game::{self, Event},
    sitting::Sitting,
    wire::v1::{self, event::Kind},
};

/// One public fact.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Fact {
    /// The match was made; what it was made with stands in its header.
    Created,
    /// A player took a seat.
    SeatTaken {
        /// Which.
        seat: u32,
        /// Who.
        player_id: String,
        /// The name to show.
        display_name: String,
    },
    /// Play began.
    Started,
    /// Time was given back to the clock.
    ClockExtended {
        /// How much.
        by_ms: u32,
    },
    /// Something happened at the table.
    Game(Event),
}

impl Fact {
    /// As the audience may read it. Exhaustive: a fact that nobody has classified does not compile.
    pub(crate) fn shown(&self, sitting: &Sitting, audience: Audience) -> Kind {
        match self {
            Self::Created => Kind::MatchCreated(v1::MatchCreated {
                game: sitting.header.options.game() as i32,
                options: Some(sitting.header.options.write()),
                rules_version: sitting.header.rules_version.clone(),
                deal_commitment: sitting.header.commitment.to_vec(),
            }),
            Self::SeatTaken { seat, player_id, display_name } => Kind::SeatTaken(v1::SeatTaken {
                seat: *seat,
                player_id: player_id.clone(),
                display_name: display_name.clone(),
            }),
            Self::Started => Kind::MatchStarted(v1::MatchStarted {}),
            Self::ClockExtended { by_ms } => Kind::ClockExtended(v1::ClockExtended { by_ms: *by_ms }),
            Self::Game(event) => sitting.table.shown(event, audience),
        }
    }

    /// Read back from the log or a replay; `None` if it is nothing that this version knows.
    pub(crate) fn read(kind: &Kind, options: &game::Options) -> Option<Self> {
        match kind {
            Kind::MatchCreated(_) => Some(Self::Created),
            Kind::SeatTaken(fact) => Some(Self::SeatTaken {
                seat: fact.seat,
                player_id: fact.player_id.clone(),
                display_name: fact.display_name.clone(),
            }),
            Kind::MatchStarted(_) => Some(Self::Started),
            Kind::ClockExtended(fact) => Some(Self::ClockExtended { by_ms: fact.by_ms }),
            Kind::Hidden(_) => None,
            Kind::TimedOut(_) | Kind::Resigned(_) | Kind::MatchEnded(_) | Kind::Tonj(_) => {
                game::read_event(options, kind).map(Self::Game)
            }
        }
    }

    /// Its name, for metrics.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Created => "match_created",
            Self::SeatTaken { .. } => "seat_taken",
            Self::Started => "match_started",
            Self::ClockExtended { .. } => "clock_extended",
            Self::Game(event) => event.name(),
        }
    }
}
