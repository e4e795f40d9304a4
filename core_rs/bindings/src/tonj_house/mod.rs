//! Tonj, house edition, on the wire: its messages made from and read into the types of its rules.
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
    games::tonj_house::{Action, Event, Options, State, TonjHouse},
    seat::Seat,
};

use crate::{
    audience::{Audience, Viewer},
    errors::Fault,
    game,
    wire::v1::{self, event::Kind},
    wired::Wired,
};

impl Wired for TonjHouse {
    type Options = Options;

    const GAME: v1::Game = v1::Game::TonjHouse;
    /// As in T35: what is face down is face down for everybody.
    const SEEN_ALIKE: bool = true;

    fn event(event: Event) -> game::Event {
        game::Event::TonjHouse(event)
    }

    fn own(event: &game::Event) -> Option<&Event> {
        match event {
            game::Event::TonjHouse(event) => Some(event),
            _ => None,
        }
    }

    fn read_options(given: Option<&v1::game_options::Game>) -> Option<Result<Options, Fault>> {
        match given {
            None => Some(options::read(&v1::TonjHouseOptions::default(), "options.tonj_house")),
            Some(v1::game_options::Game::TonjHouse(given)) => Some(options::read(given, "options.tonj_house")),
            Some(_) => None,
        }
    }

    fn write_options(options: &Options) -> v1::game_options::Game {
        v1::game_options::Game::TonjHouse(options::write(options))
    }

    fn shows_legal(options: &Options) -> bool {
        options.show_legal_moves
    }

    fn entry_fee_minor(options: &Options) -> Option<u32> {
        Some(options.entry_fee_minor)
    }

    fn table(options: &Options, deals: DealSource) -> Result<State, Fault> {
        State::new(*options, Some(deals)).map_err(|fault| Fault::field(fault.field, "is out of bounds"))
    }

    fn deals(state: &State) -> Option<&DealSource> {
        state.deal()
    }

    fn view(state: &State, _: Viewer) -> Option<v1::view::Game> {
        view::write(state).map(v1::view::Game::TonjHouse)
    }

    fn awaited(state: &State) -> Vec<u32> {
        view::awaited(state)
    }

    fn legal(state: &State, seat: Seat) -> Option<v1::LegalActions> {
        view::legal(state, seat).map(|tonj_house| v1::LegalActions { tonj_house, ..Default::default() })
    }

    fn shown(state: &State, event: &Event, audience: Audience) -> Option<Kind> {
        Some(shown::shown(event, audience, || state.face_up()))
    }

    fn read(kind: &Kind) -> Option<Event> {
        fact::read(kind)
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
