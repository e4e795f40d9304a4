//! Tonj, server edition, on the wire: its messages made from and read into the types of its rules.
//!
//! What a viewer may see is decided in `shown.rs` (events) and `view.rs` (the table), and nowhere else.

pub(crate) mod action;
pub(crate) mod digest;
mod fact;
mod options;
mod shown;
mod view;

use majlis_rules::{
    deck::DealSource,
    games::tonj::{Action, Event, Options, State, Tonj},
    seat::Seat,
};

use crate::{
    audience::{Audience, Viewer},
    errors::Fault,
    game,
    wire::v1::{self, event::Kind},
    wired::Wired,
};

impl Wired for Tonj {
    type Options = Options;

    const GAME: v1::Game = v1::Game::Tonj;
    /// T35.
    const SEEN_ALIKE: bool = true;

    fn event(event: Event) -> game::Event {
        game::Event::Tonj(event)
    }

    fn own(event: &game::Event) -> Option<&Event> {
        match event {
            game::Event::Tonj(event) => Some(event),
            _ => None,
        }
    }

    fn read_options(given: Option<&v1::game_options::Game>) -> Option<Result<Options, Fault>> {
        match given {
            None => Some(options::read(&v1::TonjOptions::default(), "options.tonj")),
            Some(v1::game_options::Game::Tonj(given)) => Some(options::read(given, "options.tonj")),
            Some(_) => None,
        }
    }

    fn write_options(options: &Options) -> v1::game_options::Game {
        v1::game_options::Game::Tonj(options::write(options))
    }

    fn shows_legal(options: &Options) -> bool {
        options.show_legal_moves
    }

    fn table(options: &Options, deals: DealSource) -> Result<State, Fault> {
        State::new(*options, Some(deals)).map_err(|fault| Fault::field(fault.field, "is out of bounds"))
    }

    fn deals(state: &State) -> Option<&DealSource> {
        state.deal()
    }

    fn view(state: &State, _: Viewer) -> Option<v1::view::Game> {
        view::write(state).map(v1::view::Game::Tonj)
    }

    fn awaited(state: &State) -> Vec<u32> {
        view::awaited(state)
    }

    fn legal(state: &State, seat: Seat) -> Option<v1::LegalActions> {
        view::legal(state, seat).map(|tonj| v1::LegalActions { tonj, ..Default::default() })
    }

    fn shown(state: &State, event: &Event, audience: Audience) -> Option<Kind> {
        Some(shown::shown(event, audience, |hand| state.face_up(hand)))
    }

    fn read(kind: &Kind) -> Option<Event> {
        fact::read(kind)
    }

    fn name(event: &Event) -> &'static str {
        fact::name(event)
    }

    fn opens_claim(event: &Event) -> bool {
        matches!(event, Event::ClaimOpened { .. })
    }

    fn ending(event: &Event) -> Option<v1::Outcome> {
        shown::outcome(event)
    }

    fn action_name(action: &Action) -> &'static str {
        action::kind(action)
    }
}
