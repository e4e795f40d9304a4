//! What the door asks of each game besides its rules; `game.rs` puts all games behind one face.

use majlis_rules::{deck::DealSource, game::Rules, seat::Seat};

use crate::{
    audience::{Audience, Viewer},
    errors::Fault,
    game::Event,
    wire::{
        log,
        v1::{self, event::Kind},
    },
};

/// A game's messages, and what each viewer may read in them.
pub(crate) trait Wired: Rules {
    /// The options of a room.
    type Options: Clone;

    /// The game on the wire.
    const GAME: v1::Game;

    /// Whether all viewers see the same of a table, so that one digest serves them all.
    const SEEN_ALIKE: bool;

    /// One of its facts among those of all games.
    fn event(event: Self::Event) -> Event;

    /// What is this game's among the facts of all games.
    fn own(event: &Event) -> Option<&Self::Event>;

    /// The options that a creator asked for, defaults put in; `None` if they are of another game.
    ///
    /// # Errors
    /// [`Fault::Malformed`] with the paths of what is out of bounds.
    fn read_options(given: Option<&v1::game_options::Game>) -> Option<Result<Self::Options, Fault>>;

    /// The options as everybody may see them.
    fn write_options(options: &Self::Options) -> v1::game_options::Game;

    /// Whether the room shows what is legal.
    fn shows_legal(options: &Self::Options) -> bool;

    /// What a seat costs, in minor units; `None` in games without stakes.
    fn entry_fee_minor(_: &Self::Options) -> Option<u32> {
        None
    }

    /// The table before its first deal.
    ///
    /// # Errors
    /// [`Fault::Malformed`]: an option is out of bounds.
    fn table(options: &Self::Options, deals: DealSource) -> Result<Self::State, Fault>;

    /// What its deals derive from.
    fn deals(state: &Self::State) -> Option<&DealSource>;

    /// The table as a viewer may see it; absent before the first deal.
    fn view(state: &Self::State, viewer: Viewer) -> Option<v1::view::Game>;

    /// The seats whose action is awaited, as far as everybody may know it.
    fn awaited(state: &Self::State) -> Vec<u32>;

    /// What a seat may do now; `None` if nothing is asked of it.
    fn legal(state: &Self::State, seat: Seat) -> Option<v1::LegalActions>;

    /// Whether a seat may still answer a question of which nobody else knows; `None` in games without any.
    fn is_asked(_: &Self::State, _: Seat) -> Option<bool> {
        None
    }

    /// Whether the server plays for a seat.
    fn is_away(_: &Self::State, _: Seat) -> bool {
        false
    }

    /// The same table with everything that a viewer cannot see put elsewhere by chance; `None` if the game has no way
    /// to do that yet. `choose` names a number below its argument.
    fn otherwise(_: &Self::State, _: Viewer, _: &mut dyn FnMut(usize) -> usize) -> Option<Self::State> {
        None
    }

    /// An event as an audience may read it; `None` if it is told to nobody.
    fn shown(state: &Self::State, event: &Self::Event, audience: Audience) -> Option<Kind>;

    /// An event read back from the log or from a replay; `None` if it is none that this version knows.
    fn read(kind: &Kind) -> Option<Self::Event>;

    /// An event that is told to nobody, as the log keeps it.
    fn secret(_: &Self::Event) -> Option<log::secret::Kind> {
        None
    }

    /// Such an event read back; `None` if it is none that this version knows.
    fn read_secret(_: &log::secret::Kind) -> Option<Self::Event> {
        None
    }

    /// An event's name, for metrics.
    fn name(event: &Self::Event) -> &'static str;

    /// Whether it opened a claim: the attempt itself was not executed.
    fn opens_claim(_: &Self::Event) -> bool {
        false
    }

    /// The outcome that an event brings, if it ends the match.
    fn ending(event: &Self::Event) -> Option<v1::Outcome>;

    /// The name of an action, for metrics.
    fn action_name(action: &Self::Action) -> &'static str;
}
