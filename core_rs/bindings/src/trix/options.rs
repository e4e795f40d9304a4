//! The room's options, read from the wire and written back with every default put in.

use majlis_rules::games::trix::{ForcedCapture, Options};

use crate::{
    errors::Fault,
    wire::v1::{self, trix_options::ForcedCapture as Reading},
};

/// Options as a room asked for them, defaults put in.
///
/// # Errors
/// [`Fault::Malformed`] with the paths of numbers that are out of bounds; `path` is where the message stands.
pub(crate) fn read(given: &v1::TrixOptions, path: &str) -> Result<Options, Fault> {
    let forced_capture = match Reading::try_from(given.forced_capture) {
        Ok(Reading::Unspecified | Reading::Base) => ForcedCapture::Base,
        Ok(Reading::LeaderPays) => ForcedCapture::LeaderPays,
        Err(_) => {
            return Err(Fault::field(&format!("{path}.forced_capture"), "is no reading that this server knows"));
        }
    };
    let options = Options {
        choose_seconds: given.choose_seconds,
        double_seconds: given.double_seconds,
        play_seconds: given.play_seconds,
        auto_play_delay_ms: given.auto_play_delay_ms,
        play_out: given.play_out,
        forced_capture,
        show_legal_moves: given.show_legal_moves,
        away_delay_ms: given.away_delay_ms,
    };
    options.resolved().map_err(|fault| {
        let wrong = format!("is {}, must be {} to {}", fault.given, fault.min, fault.max);
        Fault::field(&format!("{path}.{}", fault.field), wrong)
    })
}

/// The options as everybody may see them.
pub(crate) fn write(options: &Options) -> v1::TrixOptions {
    v1::TrixOptions {
        choose_seconds: options.choose_seconds,
        double_seconds: options.double_seconds,
        play_seconds: options.play_seconds,
        auto_play_delay_ms: options.auto_play_delay_ms,
        play_out: options.play_out,
        forced_capture: match options.forced_capture {
            ForcedCapture::Base => Reading::Base,
            ForcedCapture::LeaderPays => Reading::LeaderPays,
        } as i32,
        show_legal_moves: options.show_legal_moves,
        away_delay_ms: options.away_delay_ms,
    }
}
