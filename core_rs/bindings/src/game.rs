//! All games behind one face: which game's state a table holds, and the calls that every game answers.
//!
//! A game is one folder beside `tonj` that implements [`Wired`]. Here it is one variant in each of the four types and a
//! few lines in each of the three registers; the compiler names those that are missing.

use majlis_rules::{
    deck::DealSource,
    game::{ClockKind, Rules, RunningClock, Unfoldable},
    games::{tonj, tonj_house, trix},
    seat::Seat,
};
use prost::Message;

pub(crate) use majlis_rules::games::{tonj::Tonj, tonj_house::TonjHouse, trix::Trix};

use crate::{
    audience::{Audience, Viewer},
    errors::Fault,
    wire::{
        log,
        v1::{self, event::Kind, submit_action_request::Action as Asked},
    },
    wired::Wired,
};

/// A full table, hidden cards included. Its Debug shows none of them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Table {
    /// Tonj, server edition.
    Tonj(tonj::State),
    /// Tonj, house edition.
    TonjHouse(tonj_house::State),
    /// Trix.
    Trix(trix::State),
}

/// What a player asks for at a table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Action {
    /// A command of Tonj.
    Tonj(tonj::Action),
    /// Tonj, house edition.
    TonjHouse(tonj_house::Action),
    /// A command of Trix.
    Trix(trix::Action),
}

/// A fact about a table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Event {
    /// A fact of Tonj.
    Tonj(tonj::Event),
    /// Tonj, house edition.
    TonjHouse(tonj_house::Event),
    /// A fact of Trix.
    Trix(trix::Event),
}

/// The options of a room, defaults put in.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Options {
    /// Of Tonj.
    Tonj(tonj::Options),
    /// Tonj, house edition.
    TonjHouse(tonj_house::Options),
    /// Of Trix.
    Trix(trix::Options),
}

/// Every game, for those who have no table of one yet: the body with `$G` standing for the game and `$wrap` for its
/// variant of [`Options`], tried in turn until one answers.
macro_rules! first_game {
    ($G:ident, $wrap:ident => $body:expr) => {
        None.or_else(|| {
            type $G = tonj::Tonj;
            let $wrap = Options::Tonj;
            $body
        })
        .or_else(|| {
            type $G = tonj_house::TonjHouse;
            let $wrap = Options::TonjHouse;
            $body
        })
        .or_else(|| {
            type $G = trix::Trix;
            let $wrap = Options::Trix;
            $body
        })
    };
}

/// The game that a value of one of the four types belongs to: `$inner` is what it holds, `$G` the game.
macro_rules! of_game {
    ($of:ident($value:expr), $inner:ident, $G:ident => $body:expr) => {
        match $value {
            $of::Tonj($inner) => {
                type $G = tonj::Tonj;
                $body
            }
            $of::TonjHouse($inner) => {
                type $G = tonj_house::TonjHouse;
                $body
            }
            $of::Trix($inner) => {
                type $G = trix::Trix;
                $body
            }
        }
    };
}

/// The same for two values, which may be of different games.
macro_rules! of_one_game {
    ($a:ident($left:expr), $b:ident($right:expr), $inner:ident, $other:ident, $G:ident => $body:expr, else $no:expr) => {
        match ($left, $right) {
            ($a::Tonj($inner), $b::Tonj($other)) => {
                type $G = tonj::Tonj;
                $body
            }
            ($a::TonjHouse($inner), $b::TonjHouse($other)) => {
                type $G = tonj_house::TonjHouse;
                $body
            }
            ($a::Trix($inner), $b::Trix($other)) => {
                type $G = trix::Trix;
                $body
            }
            _ => $no,
        }
    };
}

impl Action {
    /// An action as it was sent.
    ///
    /// # Errors
    /// [`Fault::Malformed`] when it says nothing that can be judged.
    pub(crate) fn read(asked: &Asked) -> Option<Result<Self, Fault>> {
        match asked {
            Asked::Tonj(action) => Some(crate::tonj::action::read(action, "tonj").map(Self::Tonj)),
            Asked::TonjHouse(action) => {
                Some(crate::tonj_house::action::read(action, "tonj_house").map(Self::TonjHouse))
            }
            Asked::Trix(action) => Some(crate::trix::action::read(action, "trix").map(Self::Trix)),
            Asked::Resign(_) => None,
        }
    }

    /// Its name, for metrics.
    pub(crate) fn name(&self) -> &'static str {
        of_game!(Action(self), action, G => G::action_name(action))
    }
}

impl Event {
    /// Its name, for metrics.
    pub(crate) fn name(&self) -> &'static str {
        of_game!(Event(self), event, G => G::name(event))
    }

    /// Whether it opened a claim: the attempt itself was not executed.
    pub(crate) fn opens_claim(&self) -> bool {
        of_game!(Event(self), event, G => G::opens_claim(event))
    }

    /// The outcome that it brings, if it ends the match.
    pub(crate) fn outcome(&self) -> Option<v1::Outcome> {
        of_game!(Event(self), event, G => G::ending(event))
    }

    /// As the log keeps it, if it is told to nobody.
    pub(crate) fn secret(&self) -> Option<log::secret::Kind> {
        of_game!(Event(self), event, G => G::secret(event))
    }
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
        let found = first_game!(G, wrap => (game == G::GAME as i32).then(|| {
            G::read_options(given)
                .unwrap_or_else(|| Err(Fault::field("options", "are those of another game")))
                .map(wrap)
        }));
        found.unwrap_or_else(|| Err(Fault::field("game", "is no game that this server knows")))
    }

    /// The default options of the game of that name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        first_game!(G, wrap => (name == G::NAME).then(|| G::read_options(None)?.ok().map(wrap)).flatten())
    }

    /// As everybody may see them.
    pub(crate) fn write(&self) -> v1::GameOptions {
        v1::GameOptions { game: Some(of_game!(Options(self), options, G => G::write_options(options))) }
    }

    /// The options in the bytes of a `GameOptions`, defaults put in; no bytes at all take every default.
    ///
    /// # Errors
    /// [`Fault::Malformed`]: bytes that are none, options of another game, or out of bounds.
    pub(crate) fn decode(game: i32, bytes: &[u8]) -> Result<Self, Fault> {
        let options = v1::GameOptions::decode(bytes).map_err(|_| Fault::field("options", "are no GameOptions"))?;
        Self::read(game, Some(&options).filter(|_| !bytes.is_empty()))
    }

    /// Which game they belong to.
    pub(crate) fn game(&self) -> v1::Game {
        of_game!(Options(self), _options, G => G::GAME)
    }

    /// The game's name, as positions and metrics know it.
    pub(crate) fn name(&self) -> &'static str {
        of_game!(Options(self), _options, G => G::NAME)
    }

    /// How many sit at its table.
    pub(crate) fn seats(&self) -> usize {
        of_game!(Options(self), _options, G => G::SEATS as usize)
    }

    /// What a seat costs, in minor units; `None` in games without stakes.
    pub(crate) fn entry_fee_minor(&self) -> Option<u32> {
        of_game!(Options(self), options, G => G::entry_fee_minor(options))
    }

    /// The table before its first deal.
    ///
    /// # Errors
    /// [`Fault::Malformed`]: an option is out of bounds, which [`Options::read`] does not let pass.
    pub(crate) fn table(&self, deals: DealSource) -> Result<Table, Fault> {
        match self {
            Self::Tonj(options) => tonj::Tonj::table(options, deals).map(Table::Tonj),
            Self::TonjHouse(options) => tonj_house::TonjHouse::table(options, deals).map(Table::TonjHouse),
            Self::Trix(options) => trix::Trix::table(options, deals).map(Table::Trix),
        }
    }

    /// An event of this game read back from the log or from a replay; `None` if it is none that this version knows.
    pub(crate) fn read_event(&self, kind: &Kind) -> Option<Event> {
        of_game!(Options(self), _options, G => G::read(kind).map(G::event))
    }

    /// One that is told to nobody, read back from the log.
    pub(crate) fn read_secret(&self, kind: &log::secret::Kind) -> Option<Event> {
        of_game!(Options(self), _options, G => G::read_secret(kind).map(G::event))
    }

    fn shows_legal(&self) -> bool {
        of_game!(Options(self), options, G => G::shows_legal(options))
    }
}

/// The no to letting a clock run out when none runs.
pub(crate) const NO_CLOCK: Fault = Fault::Refused("NO_SUCH_CLOCK");

/// The commands and clocks of a table.
impl Table {
    /// Deals the first hand.
    ///
    /// # Errors
    /// It was dealt already.
    pub(crate) fn start(&self) -> Result<Vec<Event>, Fault> {
        of_game!(Table(self), state, G => Ok(G::start(state)?.into_iter().map(G::event).collect()))
    }

    /// Judges an action.
    ///
    /// # Errors
    /// The rules' refusal, or an action of another game.
    pub(crate) fn decide(&self, seat: Seat, action: &Action) -> Result<Vec<Event>, Fault> {
        of_one_game!(
            Table(self), Action(action), state, action, G =>
                Ok(G::decide(state, seat, action)?.into_iter().map(G::event).collect()),
            else Err(Fault::field("action", "is of another game than the match"))
        )
    }

    /// Lets a clock run out.
    ///
    /// # Errors
    /// It does not run.
    pub(crate) fn expire(&self, clock: ClockKind) -> Result<Vec<Event>, Fault> {
        of_game!(Table(self), state, G => Ok(G::expire(state, clock)?.into_iter().map(G::event).collect()))
    }

    /// A seat gives up.
    ///
    /// # Errors
    /// There is nothing left to give up.
    pub(crate) fn resign(&self, seat: Seat) -> Result<Vec<Event>, Fault> {
        of_game!(Table(self), state, G => Ok(G::resign(state, seat)?.into_iter().map(G::event).collect()))
    }

    /// Folds one event in.
    ///
    /// # Errors
    /// It cannot follow; the table is unchanged.
    pub(crate) fn evolve(&mut self, event: &Event) -> Result<(), Unfoldable> {
        of_one_game!(
            Table(self), Event(event), state, event, G => G::evolve(state, event),
            else Err(Unfoldable("an event of another game"))
        )
    }

    /// How many of the events that came next one command brought about, as the rules judge it again.
    ///
    /// # Errors
    /// The rules would have brought about something else.
    pub(crate) fn retrace(&self, events: &[Event]) -> Result<usize, Unfoldable> {
        of_game!(Table(self), state, G => {
            let own: Vec<_> = events.iter().map_while(G::own).cloned().collect();
            if own.is_empty() { Err(Unfoldable("an event of another game")) } else { G::retrace(state, &own) }
        })
    }

    /// What its deals derive from.
    pub(crate) fn deals(&self) -> Option<&DealSource> {
        of_game!(Table(self), state, G => G::deals(state))
    }

    /// The clock that the table waits on, as everybody knows it.
    pub(crate) fn clock(&self) -> Option<RunningClock> {
        of_game!(Table(self), state, G => G::clock(state))
    }

    /// A clock within that one, and the only seat that may know of it.
    pub(crate) fn own_clock(&self) -> Option<(Seat, RunningClock)> {
        of_game!(Table(self), state, G => G::on_turn(state).zip(G::own_clock(state)))
    }

    /// The seats whose action is awaited, as far as everybody may know it.
    pub(crate) fn awaited(&self) -> Vec<u32> {
        of_game!(Table(self), state, G => G::awaited(state))
    }
}

/// What is seen of a table.
impl Table {
    /// Whether all viewers see the same of it, so that one digest serves them all.
    pub(crate) fn is_seen_alike(&self) -> bool {
        of_game!(Table(self), _state, G => G::SEEN_ALIKE)
    }

    /// The table as a viewer may see it; absent before the first deal.
    pub(crate) fn view(&self, viewer: Viewer) -> Option<v1::View> {
        of_game!(Table(self), state, G => G::view(state, viewer)).map(|game| v1::View { game: Some(game) })
    }

    /// What the viewer may do now, where the room shows it to him.
    pub(crate) fn legal_actions(&self, viewer: Viewer, options: &Options) -> Option<v1::LegalActions> {
        let seat = viewer.seat().filter(|_| options.shows_legal())?;
        of_game!(Table(self), state, G => G::legal(state, seat))
    }

    /// Whether a seat may still answer a question of which nobody else knows; `None` in games without any.
    pub(crate) fn is_asked(&self, seat: Seat) -> Option<bool> {
        of_game!(Table(self), state, G => G::is_asked(state, seat))
    }

    /// Whether the server plays for a seat.
    pub(crate) fn is_away(&self, seat: Seat) -> bool {
        of_game!(Table(self), state, G => G::is_away(state, seat))
    }

    /// An event as an audience may read it; `None` if it is told to nobody, or of another game.
    pub(crate) fn shown(&self, event: &Event, audience: Audience) -> Option<Kind> {
        of_one_game!(
            Table(self), Event(event), state, event, G => G::shown(state, event, audience),
            else None
        )
    }

    /// The same table with everything that a viewer cannot see put elsewhere by chance.
    pub(crate) fn otherwise(&self, viewer: Viewer, choose: &mut dyn FnMut(usize) -> usize) -> Option<Self> {
        match self {
            Self::Tonj(state) => tonj::Tonj::otherwise(state, viewer, choose).map(Self::Tonj),
            Self::TonjHouse(state) => tonj_house::TonjHouse::otherwise(state, viewer, choose).map(Self::TonjHouse),
            Self::Trix(state) => trix::Trix::otherwise(state, viewer, choose).map(Self::Trix),
        }
    }
}
