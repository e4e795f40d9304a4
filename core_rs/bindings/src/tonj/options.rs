//! The room's options, read from the wire and written back with every default put in.

use majlis_rules::games::tonj::{Options, TimeoutPolicy};

use crate::{
    errors::Fault,
    wire::v1::{self, tonj_options::TimeoutPolicy as Policy},
};

/// Options as a room asked for them, defaults put in.
///
/// # Errors
/// [`Fault::Malformed`] with the paths of numbers that are out of bounds; `path` is where the message stands.
pub(crate) fn read(given: &v1::TonjOptions, path: &str) -> Result<Options, Fault> {
    let timeout_policy = match Policy::try_from(given.timeout_policy) {
        Ok(Policy::Unspecified | Policy::FinishTurn) => TimeoutPolicy::FinishTurn,
        Ok(Policy::OneAction) => TimeoutPolicy::OneAction,
        Err(_) => {
            return Err(Fault::field(&format!("{path}.timeout_policy"), "is no policy that this server knows"));
        }
    };
    let options = Options {
        target_points: given.target_points,
        turn_seconds: given.turn_seconds,
        claim_window_ms: given.claim_window_ms,
        max_claims_per_turn: given.max_claims_per_turn,
        max_transfers_per_turn: given.max_transfers_per_turn,
        timeout_policy,
        show_legal_moves: given.show_legal_moves,
    };
    options.resolved().map_err(|fault| {
        let wrong = format!("is {}, must be {} to {}", fault.given, fault.min, fault.max);
        Fault::field(&format!("{path}.{}", fault.field), wrong)
    })
}

/// The options as everybody may see them.
pub(crate) fn write(options: &Options) -> v1::TonjOptions {
    v1::TonjOptions {
        target_points: options.target_points,
        turn_seconds: options.turn_seconds,
        claim_window_ms: options.claim_window_ms,
        max_claims_per_turn: options.max_claims_per_turn,
        max_transfers_per_turn: options.max_transfers_per_turn,
        timeout_policy: match options.timeout_policy {
            TimeoutPolicy::FinishTurn => Policy::FinishTurn,
            TimeoutPolicy::OneAction => Policy::OneAction,
        } as i32,
        show_legal_moves: options.show_legal_moves,
    }
}
