//! Tonj tables as positions: reading one, and refusing what cannot stand on a table. Writing is `position_text.rs`.

use std::sync::Arc;

use serde_json::Value;

use super::action_json;
use super::claims::may_open;
use super::event::FaultClass;
use super::foundations::Foundations;
use super::judgement::{Ruling, judge};
use super::options::{Options, TimeoutPolicy};
use super::pair::Pair;
use super::slot::{Row, Slot};
use super::stack::{ALL_CARDS, Stack};
use super::state::{Claim, Phase, State};
use super::table::Table;
use crate::card::{Card, Rank};
use crate::census::{Census, Notation};
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
    state.table = read_table(given, keys)?;
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

fn capped(keys: &Keys<'_>, key: &str, cap: u32) -> Result<u32, Fault> {
    match keys.number(key, 0)? {
        number if number > cap => Err(Fault(format!("{key} is {number}, beyond the {cap} that the options allow"))),
        number => Ok(number),
    }
}

fn read_table(given: &Given, keys: &Keys<'_>) -> Result<Table, Fault> {
    let mut census = Census::new(Notation::Packs);
    let stacks = |piles: [Vec<Card>; 2]| Pair(piles.map(Stack::of));
    let mut table = Table::empty();
    table.reserves = stacks(keys.piles("reserves", &mut census)?);
    table.houses = Row(keys.piles("houses", &mut census)?.map(Stack::of));
    table.foundations = read_foundations(keys, &mut census)?;
    table.wastes = stacks(keys.piles("wastes", &mut census)?);
    // A position lists the next card of a hand first; on the table it lies on top.
    table.hands = Pair(keys.piles("hands", &mut census)?.map(|hand: Vec<Card>| Stack::of(hand).turned_over()));
    table.pending = keys.get("pending").map(|card| census.card(card, "pending")).transpose()?;
    if !given.partial && census.len() != ALL_CARDS {
        return Err(Fault(format!("{} cards stand on the table, not {ALL_CARDS}", census.len())));
    }
    Ok(table)
}

/// T9: ace first, one suit, no gap.
fn read_foundations(keys: &Keys<'_>, census: &mut Census) -> Result<Foundations, Fault> {
    let mut foundations = Foundations::default();
    for (slot, cards) in Slot::ALL.into_iter().zip(keys.piles::<8>("foundations", census)?) {
        let suit = cards.first().map(|ace| ace.suit());
        for (card, rank) in cards.iter().zip(Rank::all()) {
            if card.rank() != rank || Some(card.suit()) != suit {
                return Err(Fault(format!("foundations[{}] is not built from the ace in one suit", slot.number())));
            }
            foundations.push(slot, *card);
        }
        if cards.len() > 13 {
            return Err(Fault(format!("foundations[{}] goes beyond the king", slot.number())));
        }
    }
    Ok(foundations)
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
