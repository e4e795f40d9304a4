//! All games behind one face: which game's state a table holds, and the calls that every game answers.
//!
//! Adding a game adds one variant here and one module beside `tonj`; the compiler names the places that are left.

use majlis_rules::{
    deck::DealSource,
    game::{Rules, RunningClock, Unfoldable},
    games::tonj,
    seat::Seat,
};

use crate::{
    audience::{Audience, Viewer},
    errors::Fault,
    tonj as tonj_wire,
    wire::v1::{self, event::Kind},
};

/// A full table, hidden cards included. Its Debug shows none of them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Table {
    /// Tonj, server edition.
    Tonj(tonj::State),
}

/// What a player asks for at a table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Action {
    /// A command of Tonj.
    Tonj(tonj::Action),
}

/// A fact about a table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Event {
    /// A fact of Tonj.
    Tonj(tonj::Event),
}

impl Event {
    /// Its name, for metrics.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Tonj(event) => tonj_wire::fact::name(event),
        }
    }

    /// Whether it opened a claim: the attempt itself was not executed.
    pub(crate) fn opens_claim(&self) -> bool {
        match self {
            Self::Tonj(event) => matches!(event, tonj::Event::ClaimOpened { .. }),
        }
    }

    /// The outcome that it brings, if it ends the match.
    pub(crate) fn outcome(&self) -> Option<v1::Outcome> {
        match self {
            Self::Tonj(event) => tonj_wire::shown::outcome(event),
        }
    }
}

/// The options of a room, defaults put in.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Options {
    /// Of Tonj.
    Tonj(tonj::Options),
}

impl Options {
    /// The options that a creator asked for.
    ///
    /// # Errors
    /// [`Fault::Malformed`]: an unknown game, options of another game, or a number out of bounds.
    pub(crate) fn read(game: i32, options: Option<&v1::GameOptions>) -> Result<Self, Fault> {
        let given = match options {
            None => None,
            // A game that this version does not know is read as none.
            Some(v1::GameOptions { game: None }) => {
                return Err(Fault::field("options", "are of no game that this server knows"));
            }
            Some(v1::GameOptions { game: given }) => given.as_ref(),
        };
        match v1::Game::try_from(game) {
            Ok(v1::Game::Tonj) => match given {
                None => tonj_wire::options::read(&v1::TonjOptions::default(), "options.tonj").map(Self::Tonj),
                Some(v1::game_options::Game::Tonj(given)) => {
                    tonj_wire::options::read(given, "options.tonj").map(Self::Tonj)
                }
            },
            Ok(v1::Game::Unspecified) | Err(_) => Err(Fault::field("game", "is no game that this server knows")),
        }
    }

    /// As everybody may see them.
    pub(crate) fn write(&self) -> v1::GameOptions {
        let game = match self {
            Self::Tonj(options) => v1::game_options::Game::Tonj(tonj_wire::options::write(options)),
        };
        v1::GameOptions { game: Some(game) }
    }

    /// Which game they belong to.
    pub(crate) fn game(&self) -> v1::Game {
        match self {
            Self::Tonj(_) => v1::Game::Tonj,
        }
    }

    /// The game's name, as positions and metrics know it.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Tonj(_) => tonj::Tonj::NAME,
        }
    }

    /// How many sit at its table.
    pub(crate) fn seats(&self) -> usize {
        match self {
            Self::Tonj(_) => tonj::Tonj::SEATS as usize,
        }
    }

    /// Whether the room shows what is legal.
    fn shows_legal(&self) -> bool {
        match self {
            Self::Tonj(options) => options.show_legal_moves,
        }
    }

    /// The table before its first deal.
    ///
    /// # Errors
    /// [`Fault::Malformed`]: an option is out of bounds, which [`Options::read`] does not let pass.
    pub(crate) fn table(&self, deals: DealSource) -> Result<Table, Fault> {
        match self {
            Self::Tonj(options) => tonj::State::new(*options, Some(deals))
                .map(Table::Tonj)
                .map_err(|fault| Fault::field(fault.field, "is out of bounds")),
        }
    }
}

/// The commands and clocks of a table.
impl Table {
    /// Deals the first hand.
    ///
    /// # Errors
    /// It was dealt already.
    pub(crate) fn start(&self) -> Result<Vec<Event>, Fault> {
        match self {
            Self::Tonj(state) => Ok(tonj_events(tonj::Tonj::start(state)?)),
        }
    }

    /// Judges an action.
    ///
    /// # Errors
    /// The rules' refusal, or an action of another game.
    pub(crate) fn decide(&self, seat: Seat, action: &Action) -> Result<Vec<Event>, Fault> {
        match (self, action) {
            (Self::Tonj(state), Action::Tonj(action)) => Ok(tonj_events(tonj::Tonj::decide(state, seat, action)?)),
        }
    }

    /// Lets the clock that runs run out.
    ///
    /// # Errors
    /// None runs.
    pub(crate) fn expire(&self) -> Result<Vec<Event>, Fault> {
        let clock = self.clock().ok_or(NO_CLOCK)?;
        match self {
            Self::Tonj(state) => Ok(tonj_events(tonj::Tonj::expire(state, clock.kind)?)),
        }
    }

    /// A seat gives up.
    ///
    /// # Errors
    /// There is nothing left to give up.
    pub(crate) fn resign(&self, seat: Seat) -> Result<Vec<Event>, Fault> {
        match self {
            Self::Tonj(state) => Ok(tonj_events(tonj::Tonj::resign(state, seat)?)),
        }
    }

    /// Folds one event in.
    ///
    /// # Errors
    /// It cannot follow; the table is unchanged.
    pub(crate) fn evolve(&mut self, event: &Event) -> Result<(), Unfoldable> {
        match (self, event) {
            (Self::Tonj(state), Event::Tonj(event)) => tonj::Tonj::evolve(state, event),
        }
    }

    /// What its deals derive from.
    pub(crate) fn deals(&self) -> Option<&DealSource> {
        match self {
            Self::Tonj(state) => state.deal(),
        }
    }

    /// The clock that the table waits on.
    pub(crate) fn clock(&self) -> Option<RunningClock> {
        match self {
            Self::Tonj(state) => tonj::Tonj::clock(state),
        }
    }

    /// The seats whose action is awaited.
    pub(crate) fn awaited(&self) -> Vec<u32> {
        match self {
            Self::Tonj(state) => tonj_wire::view::awaited(state),
        }
    }
}

/// The no to letting a clock run out when none runs.
pub(crate) const NO_CLOCK: Fault = Fault::Refused("NO_SUCH_CLOCK");

fn tonj_events(events: impl IntoIterator<Item = tonj::Event>) -> Vec<Event> {
    events.into_iter().map(Event::Tonj).collect()
}

/// What is seen of a table.
impl Table {
    /// Whether all viewers see the same of it, so that one digest serves them all.
    pub(crate) fn is_seen_alike(&self) -> bool {
        match self {
            // T35.
            Self::Tonj(_) => true,
        }
    }

    /// The table as a viewer may see it; absent before the first deal.
    pub(crate) fn view(&self, _viewer: Viewer) -> Option<v1::View> {
        let game = match self {
            Self::Tonj(state) => v1::view::Game::Tonj(tonj_wire::view::write(state)?),
        };
        Some(v1::View { game: Some(game) })
    }

    /// What the viewer may do now, where the room shows it to him.
    pub(crate) fn legal_actions(&self, viewer: Viewer, options: &Options) -> Option<v1::LegalActions> {
        let seat = viewer.seat().filter(|_| options.shows_legal())?;
        match self {
            Self::Tonj(state) => (tonj::Tonj::to_act(state) == Some(seat))
                .then(|| v1::LegalActions { tonj: tonj_wire::view::legal(state, seat) }),
        }
    }

    /// An event as an audience may read it.
    pub(crate) fn shown(&self, event: &Event, audience: Audience) -> Kind {
        match (self, event) {
            (Self::Tonj(state), Event::Tonj(event)) => {
                tonj_wire::shown::shown(event, audience, |hand| tonj_wire::view::face_up(state, hand))
            }
        }
    }
}

/// An event of this game read back from the log or from a replay; `None` if it is none that this version knows.
pub(crate) fn read_event(options: &Options, kind: &Kind) -> Option<Event> {
    match options {
        Options::Tonj(_) => tonj_wire::fact::read(kind).map(Event::Tonj),
    }
}
