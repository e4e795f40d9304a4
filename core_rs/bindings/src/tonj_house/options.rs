//! The table's options, read from the wire and written back with every default put in.

use majlis_rules::games::tonj_house::{Options, PenaltySource};

use crate::{
    errors::Fault,
    wire::v1::{self, tonj_house_options::PenaltySource as Source},
};

/// Options as a table asked for them, defaults put in.
///
/// # Errors
/// [`Fault::Malformed`] with the paths of numbers that are out of bounds; `path` is where the message stands.
pub(crate) fn read(given: &v1::TonjHouseOptions, path: &str) -> Result<Options, Fault> {
    let penalty_source = match Source::try_from(given.penalty_source) {
        Ok(Source::Unspecified | Source::OpponentStock) => PenaltySource::OpponentStock,
        Ok(Source::OwnStock) => PenaltySource::OwnStock,
        Err(_) => {
            return Err(Fault::field(&format!("{path}.penalty_source"), "is no source that this server knows"));
        }
    };
    let options = Options {
        turn_seconds: given.turn_seconds,
        penalty_cards: given.penalty_cards,
        penalty_source,
        max_moves_per_turn: given.max_moves_per_turn,
        max_turns: given.max_turns,
        entry_fee_minor: given.entry_fee_minor,
        rake_bps: given.rake_bps,
        ranked: given.ranked,
        show_legal_moves: given.show_legal_moves,
    };
    options.resolved().map_err(|fault| {
        let wrong = format!("is {}, must be {} to {}", fault.given, fault.min, fault.max);
        Fault::field(&format!("{path}.{}", fault.field), wrong)
    })
}

/// The options as everybody may see them.
pub(crate) fn write(options: &Options) -> v1::TonjHouseOptions {
    v1::TonjHouseOptions {
        turn_seconds: options.turn_seconds,
        penalty_cards: options.penalty_cards,
        penalty_source: match options.penalty_source {
            PenaltySource::OpponentStock => Source::OpponentStock,
            PenaltySource::OwnStock => Source::OwnStock,
        } as i32,
        max_moves_per_turn: options.max_moves_per_turn,
        max_turns: options.max_turns,
        entry_fee_minor: options.entry_fee_minor,
        rake_bps: options.rake_bps,
        ranked: options.ranked,
        show_legal_moves: options.show_legal_moves,
    }
}
