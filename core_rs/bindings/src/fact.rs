//! The facts of a match: those of its lifecycle and those of its game, each to and from the one event vocabulary; and
//! those of its game that are told to nobody, to and from the log alone.

use crate::{
    audience::{Audience, Viewer},
    game::{Event, Options},
    outcome,
    seats::Player,
    sitting::Sitting,
    wire::{
        log,
        v1::{self, event::Kind},
    },
};

/// One fact.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Fact {
    /// The match was made; what it was made with stands in its header.
    Created,
    /// A player took a seat.
    SeatTaken {
        /// Which.
        seat: u32,
        /// Who.
        player: Player,
    },
    /// A player gave his seat back.
    SeatLeft {
        /// Which.
        seat: u32,
    },
    /// A player's fee is taken.
    StakeConfirmed {
        /// Whose.
        seat: u32,
    },
    /// A player who is waited for has come.
    PlayerConnected {
        /// On which seat.
        seat: u32,
    },
    /// Play began.
    Started,
    /// The match will never start.
    Voided {
        /// Why.
        reason: v1::EndReason,
    },
    /// Time was given back to the clock.
    ClockExtended {
        /// How much.
        by_ms: u32,
    },
    /// Something happened at the table.
    Game(Event),
}

impl Fact {
    /// Whether it has a public number; what has none is told to nobody.
    pub(crate) fn is_public(&self) -> bool {
        self.secret().is_none()
    }

    /// Whether it is told to nobody but is the viewer's own doing.
    pub(crate) fn is_of(&self, viewer: Viewer) -> bool {
        match self.secret() {
            None => false,
            Some(log::secret::Kind::TrixAnswer(answer)) => {
                viewer.seat().is_some_and(|seat| u32::from(seat.number()) == answer.seat)
            }
        }
    }

    /// As the log keeps it, if it is told to nobody.
    pub(crate) fn secret(&self) -> Option<log::secret::Kind> {
        match self {
            Self::Created
            | Self::SeatTaken { .. }
            | Self::SeatLeft { .. }
            | Self::StakeConfirmed { .. }
            | Self::PlayerConnected { .. }
            | Self::Started
            | Self::Voided { .. }
            | Self::ClockExtended { .. } => None,
            Self::Game(event) => event.secret(),
        }
    }

    /// As the audience may read it; `None` exactly for what is told to nobody. Exhaustive: a fact that nobody has
    /// classified does not compile.
    pub(crate) fn shown(&self, sitting: &Sitting, audience: Audience) -> Option<Kind> {
        Some(match self {
            Self::Created => Kind::MatchCreated(sitting.header.creation()),
            Self::SeatTaken { seat, player } => Kind::SeatTaken(v1::SeatTaken {
                seat: *seat,
                player_id: player.player_id.clone(),
                display_name: player.display_name.clone(),
            }),
            Self::SeatLeft { seat } => Kind::SeatLeft(v1::SeatLeft { seat: *seat }),
            Self::StakeConfirmed { seat } => Kind::StakeConfirmed(v1::StakeConfirmed { seat: *seat }),
            Self::PlayerConnected { seat } => Kind::PlayerConnected(v1::PlayerConnected { seat: *seat }),
            Self::Started => Kind::MatchStarted(v1::MatchStarted {}),
            Self::Voided { reason } => Kind::MatchEnded(v1::MatchEnded { outcome: Some(sitting.voided(*reason)) }),
            Self::ClockExtended { by_ms } => Kind::ClockExtended(v1::ClockExtended { by_ms: *by_ms }),
            Self::Game(event) => sitting.table.shown(event, audience)?,
        })
    }

    /// Read back from the log or a replay; `None` if it is nothing that this version knows.
    pub(crate) fn read(kind: &Kind, options: &Options) -> Option<Self> {
        match kind {
            Kind::MatchCreated(_) => Some(Self::Created),
            Kind::SeatTaken(fact) => Some(Self::SeatTaken {
                seat: fact.seat,
                player: Player { player_id: fact.player_id.clone(), display_name: fact.display_name.clone() },
            }),
            Kind::SeatLeft(fact) => Some(Self::SeatLeft { seat: fact.seat }),
            Kind::StakeConfirmed(fact) => Some(Self::StakeConfirmed { seat: fact.seat }),
            Kind::PlayerConnected(fact) => Some(Self::PlayerConnected { seat: fact.seat }),
            Kind::MatchStarted(_) => Some(Self::Started),
            Kind::ClockExtended(fact) => Some(Self::ClockExtended { by_ms: fact.by_ms }),
            Kind::Hidden(_) => None,
            Kind::MatchEnded(ended) if ended.outcome.as_ref().is_some_and(outcome::is_void) => {
                Some(Self::Voided { reason: ended.outcome.as_ref()?.reason() })
            }
            Kind::TimedOut(_)
            | Kind::Resigned(_)
            | Kind::Returned(_)
            | Kind::MatchEnded(_)
            | Kind::Tonj(_)
            | Kind::TonjHouse(_)
            | Kind::Trix(_) => options.read_event(kind).map(Self::Game),
        }
    }

    /// Its name, for metrics.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Created => "match_created",
            Self::SeatTaken { .. } => "seat_taken",
            Self::SeatLeft { .. } => "seat_left",
            Self::StakeConfirmed { .. } => "stake_confirmed",
            Self::PlayerConnected { .. } => "player_connected",
            Self::Started => "match_started",
            Self::Voided { .. } => "match_ended",
            Self::ClockExtended { .. } => "clock_extended",
            Self::Game(event) => event.name(),
        }
    }
}
