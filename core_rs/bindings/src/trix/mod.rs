//! Trix on the wire: its messages made from and read into the types of its rules.
//!
//! What a viewer may see is decided in `shown.rs` (events) and `view.rs` (the table), and nowhere else. What is told to
//! nobody goes to the log and back in `secret.rs`.

pub(crate) mod action;
mod contract;
pub(crate) mod digest;
mod fact;
mod options;
mod secret;
mod shown;
mod view;

use majlis_rules::{
    deck::DealSource,
    games::trix::{Action, Event, Options, State, Trix},
    seat::Seat,
};

use crate::{
    audience::{Audience, Viewer},
    errors::Fault,
    game,
    wire::{
        log,
        v1::{self, event::Kind},
    },
    wired::Wired,
};

impl Wired for Trix {
    type Options = Options;

    const GAME: v1::Game = v1::Game::Trix;
    /// X13.
    const SEEN_ALIKE: bool = false;

    fn event(event: Event) -> game::Event {
        game::Event::Trix(event)
    }

    fn own(event: &game::Event) -> Option<&Event> {
        match event {
            game::Event::Trix(event) => Some(event),
            _ => None,
        }
    }

    fn read_options(given: Option<&v1::game_options::Game>) -> Option<Result<Options, Fault>> {
        match given {
            None => Some(options::read(&v1::TrixOptions::default(), "options.trix")),
            Some(v1::game_options::Game::Trix(given)) => Some(options::read(given, "options.trix")),
            Some(_) => None,
        }
    }

    fn write_options(options: &Options) -> v1::game_options::Game {
        v1::game_options::Game::Trix(options::write(options))
    }

    fn shows_legal(options: &Options) -> bool {
        // The room's default is yes.
        options.show_legal_moves != Some(false)
    }

    fn table(options: &Options, deals: DealSource) -> Result<State, Fault> {
        State::new(*options, Some(deals)).map_err(|fault| Fault::field(fault.field, "is out of bounds"))
    }

    fn deals(state: &State) -> Option<&DealSource> {
        state.deal()
    }

    fn view(state: &State, viewer: Viewer) -> Option<v1::view::Game> {
        view::write(state, viewer).map(v1::view::Game::Trix)
    }

    fn awaited(state: &State) -> Vec<u32> {
        view::awaited(state)
    }

    fn legal(state: &State, seat: Seat) -> Option<v1::LegalActions> {
        view::legal(state, seat).map(|trix| v1::LegalActions { trix, ..Default::default() })
    }

    fn is_asked(state: &State, seat: Seat) -> Option<bool> {
        Some(state.may_double(seat))
    }

    fn is_away(state: &State, seat: Seat) -> bool {
        state.is_away(seat)
    }

    fn otherwise(state: &State, viewer: Viewer, choose: &mut dyn FnMut(usize) -> usize) -> Option<State> {
        Some(state.otherwise(viewer.seat(), choose))
    }

    fn shown(state: &State, event: &Event, audience: Audience) -> Option<Kind> {
        shown::shown(event, audience, |deal| state.dealt_hands(deal))
    }

    fn read(kind: &Kind) -> Option<Event> {
        fact::read(kind)
    }

    fn secret(event: &Event) -> Option<log::secret::Kind> {
        secret::write(event)
    }

    fn read_secret(kind: &log::secret::Kind) -> Option<Event> {
        secret::read(kind)
    }

    fn name(event: &Event) -> &'static str {
        fact::name(event)
    }

    fn ending(event: &Event) -> Option<v1::Outcome> {
        shown::outcome(event)
    }

    fn action_name(action: &Action) -> &'static str {
        action::kind(action)
    }
}
