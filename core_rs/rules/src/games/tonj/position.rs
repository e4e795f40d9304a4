//! Tonj tables as positions: reading one, and refusing what cannot stand on a table. Writing is `position_text.rs`.

use std::sync::Arc;

use serde_json::Value;

use super::action_json;
use super::claims::may_open;
use super::event::FaultClass;
use super::judgement::{Ruling, judge};
use super::options::{Options, TimeoutPolicy};
use super::state::{Claim, Phase, State};
use crate::census::{Census, Notation};
use crate::crapette::pair::Pair;
use crate::crapette::position::{capped, read_table};
use crate::crapette::stack::ALL_CARDS;
use crate::crapette::table::Table;
use crate::json::{Malformed, boolean, enumeration, fields, uint32_or_zero};
use crate::position::{Fault, Given, Keys, seat};
use crate::seat::Seat;

/// The state of a position.
pub(super) fn read(given: &Given, keys: &Keys<'_>) -> Result<State, Fault> {
    let options =
        read_options(&given.options).map_err(|Malformed| Fault("options is no TonjOptions message".into()))?;
    let mut state = State::new(options, None).map_err(|fault| Fault(fault.to_string()))?;
    state.deal = given.next_deals().map(Arc::new);
    state.phase = Phase::Playing;
    state.hand_number = keys.counter("hand_number")?;
    state.turn_number = keys.counter("turn_number")?;
    state.turn = keys.seat("turn_seat", 2)?.ok_or_else(|| Fault("no turn_seat".into()))?;
    state.starter = keys.seat("starter", 2)?.unwrap_or(Seat::ZERO);
    state.quiet = Pair(keys.numbers("quiet")?);
    state.totals = Pair(keys.numbers("totals")?);
    state.transfers = capped(keys, "transfers", state.options.max_transfers_per_turn)?;
    state.claims = capped(keys, "claims", state.options.max_claims_per_turn)?;
    state.table = read_whole_table(given, keys)?;
    if let Some(claim) = keys.get("claim") {
        let claim = read_claim(&state, claim)?;
        state.claim = Some(claim);
    }
    can_stand(&state)?;
    if state.table.pending.is_none() && state.transfers == 0 && state.claims == 0 {
        // The first entry of T27, if this is the start of a turn.
        state.visits.note(&state.table, state.turn);
    }
    Ok(state)
}

fn read_whole_table(given: &Given, keys: &Keys<'_>) -> Result<Table, Fault> {
    let mut census = Census::new(Notation::Packs);
    let table = read_table(keys, &mut census)?;
    if !given.partial && census.len() != ALL_CARDS {
        return Err(Fault(format!("{} cards stand on the table, not {ALL_CARDS}", census.len())));
    }
    Ok(table)
}

/// An open claim, which must be what its attempt is at this table.
fn read_claim(state: &State, value: &Value) -> Result<Claim, Fault> {
    let malformed = || Fault("claim is no offender, attempt and class".into());
    let members = value
        .as_object()
        .filter(|members| members.keys().all(|key| ["offender", "attempt", "class"].contains(&key.as_str())));
    let members = members.ok_or_else(malformed)?;
    let offender = members.get("offender").and_then(|number| seat(number, 2));
    let attempt = members.get("attempt").and_then(|attempt| action_json::read(attempt).ok());
    let class = match members.get("class").and_then(Value::as_str) {
        Some("B") => Some(FaultClass::Build),
        Some("P") => Some(FaultClass::Priority),
        _ => None,
    };
    let (Some(offender), Some(attempt), Some(class)) = (offender, attempt, class) else { return Err(malformed()) };
    if offender != state.turn {
        return Err(Fault("claim against the seat that is not on turn".into()));
    }
    let mut before = state.clone();
    before.claims =
        before.claims.checked_sub(1).ok_or_else(|| Fault("claim is open, but claims counts none".into()))?;
    match judge(&before, offender, &attempt) {
        Ok(Ruling::Faulty(found)) if found == class && may_open(&before).is_ok() => {
            Ok(Claim { offender, attempt, class })
        }
        _ => Err(Fault("claim on an attempt that is not of its class here".into())),
    }
}

/// A waste that was due to be turned over cannot lie there (T20). Other things that come about by themselves are not
/// asked for: a turn in which nothing is left to do may stand, so that it can be judged.
fn can_stand(state: &State) -> Result<(), Fault> {
    let (seat, table) = (state.turn, &state.table);
    let overdue = table.pending.is_none() && table.hands[seat].is_empty() && !table.wastes[seat].is_empty();
    if overdue && state.claim.is_none() {
        Err(Fault(format!("hands[{seat}] is empty beside a waste: it would have been turned over")))
    } else {
        Ok(())
    }
}

/// `TonjOptions` as protobuf JSON.
fn read_options(value: &Value) -> Result<Options, Malformed> {
    let names = [
        "targetPoints",
        "turnSeconds",
        "claimWindowMs",
        "maxClaimsPerTurn",
        "maxTransfersPerTurn",
        "timeoutPolicy",
        "showLegalMoves",
    ];
    let [target, turn, window, claims, transfers, policy, show] = fields(value, names)?;
    let mut options = Options { show_legal_moves: boolean(show)?, ..Options::default() };
    for (number, given) in options.numbers_mut().into_iter().zip([target, turn, window, claims, transfers]) {
        *number = uint32_or_zero(given)?;
    }
    let policies = ["TIMEOUT_POLICY_UNSPECIFIED", TimeoutPolicy::FinishTurn.name(), TimeoutPolicy::OneAction.name()];
    options.timeout_policy = match enumeration(policy, &policies)? {
        0 | 1 => TimeoutPolicy::FinishTurn,
        2 => TimeoutPolicy::OneAction,
        _ => return Err(Malformed),
    };
    Ok(options)
}
