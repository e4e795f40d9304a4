//! The judge: a position and steps in, verdicts and the position after them out. One JSON object a line, both ways.

use serde_json::{Value, json};

use crate::for_game;
use crate::game::{ClockKind, Outcome};
use crate::position::{self, Fault, Object, Positioned, Verdict};
use crate::refusal::{Reason, Refusal};
use crate::seat::Seat;
use crate::settlement::Settlement;

/// Judges one line of input. Answers one line, and whether it tells of an error.
#[must_use]
pub fn judge_line(line: &str) -> (String, bool) {
    let parsed: Result<Object, _> = serde_json::from_str(line);
    let (id, answer) = match &parsed {
        Ok(request) => (request.get("id").cloned().unwrap_or_default(), judge(request)),
        Err(_) => (Value::Null, Err(Fault("the line is no JSON object".into()))),
    };
    let failed = answer.is_err();
    let mut answer = answer.unwrap_or_else(|fault| Object::from_iter([("error".to_owned(), fault.0.into())]));
    answer.insert("id".into(), id);
    (Value::Object(answer).to_string(), failed)
}

/// What a step asks for.
enum Step<'a> {
    Act { seat: u64, action: &'a Value },
    Expire(&'a str),
}

fn judge(request: &Object) -> Result<Object, Fault> {
    let position = request.get("position").and_then(Value::as_object).ok_or_else(|| Fault("no position".into()))?;
    let steps = match request.get("steps") {
        None | Some(Value::Null) => &[],
        Some(steps) => steps.as_array().map(Vec::as_slice).ok_or_else(|| Fault("steps is no list".into()))?,
    };
    let steps = steps.iter().enumerate().map(|(at, step)| read_step(at, step)).collect::<Result<Vec<_>, Fault>>()?;
    let legal = matches!(request.get("legal"), Some(Value::Bool(true)));
    let game = position.get("game").and_then(Value::as_str).unwrap_or_default();
    for_game!(game, judge_game(position, &steps, legal)).ok_or_else(|| Fault("game names no game".into()))?
}

fn read_step(at: usize, step: &Value) -> Result<Step<'_>, Fault> {
    match (step.get("expire"), step.get("action")) {
        (Some(Value::String(clock)), None) => Ok(Step::Expire(clock)),
        (None, Some(action)) => {
            let seat = step.get("seat").filter(|seat| seat.is_number());
            let seat = seat.ok_or_else(|| Fault(format!("steps[{at}] names no seat")))?;
            // A number that no table can have is a seat that nobody sits at.
            Ok(Step::Act { seat: seat.as_u64().unwrap_or(u64::MAX), action })
        }
        _ => Err(Fault(format!("steps[{at}] holds neither an action nor a clock"))),
    }
}

fn judge_game<R: Positioned>(position: &Object, steps: &[Step<'_>], legal: bool) -> Result<Object, Fault> {
    let (mut state, given) = position::read::<R>(position)?;
    let results = steps.iter().map(|step| verdict_json(take::<R>(&mut state, step))).collect::<Vec<_>>();
    let mut answer = Object::new();
    answer.insert("results".into(), results.into());
    answer.insert("outcome".into(), R::outcome(&state).map_or(Value::Null, |outcome| outcome_json(&outcome)));
    if legal {
        answer.insert("legal".into(), legal_json::<R>(&state));
    }
    answer.insert("position".into(), position::write::<R>(&state, &given).into());
    Ok(answer)
}

fn take<R: Positioned>(state: &mut R::State, step: &Step<'_>) -> Result<Verdict, Refusal> {
    let events = match *step {
        Step::Expire(clock) => R::expire(state, ClockKind::named(clock).ok_or(Reason::NoSuchClock)?),
        Step::Act { seat, action } => {
            let seat =
                u32::try_from(seat).ok().and_then(|seat| Seat::at_table(seat, R::SEATS)).ok_or(Reason::NotSeated)?;
            if *action == json!({"resign": {}}) {
                R::resign(state, seat)
            } else {
                R::decide(state, seat, &R::read_action(action)?)
            }
        }
    }?;
    for event in &events {
        // What was just decided on this state follows from it.
        let _ = R::evolve(state, event);
    }
    Ok(R::verdict(&events))
}

fn verdict_json(verdict: Result<Verdict, Refusal>) -> Value {
    match verdict {
        Ok(Verdict::Accepted) => json!({"verdict": "accepted"}),
        Ok(Verdict::Penalty) => json!({"verdict": "penalty"}),
        Ok(Verdict::ClaimOpened(class)) => json!({"verdict": "claim_opened", "class": class}),
        Err(refusal) => json!({"verdict": "refused", "reason": refusal.reason.code()}),
    }
}

fn outcome_json(outcome: &Outcome) -> Value {
    let winners: Vec<u8> = outcome.winners.iter().map(|seat| seat.number()).collect();
    let mut json = json!({
        "reason": outcome.reason.name(),
        "points": outcome.points.as_slice(),
        "totals": outcome.totals.as_slice(),
        "match_over": outcome.match_over,
        "winner_seats": winners,
    });
    if let Some(members) = json.as_object_mut() {
        let burdens = outcome.burdens.as_ref().map(|burdens| ("burdens", burdens.as_slice().into()));
        let settlement = outcome.settlement.as_ref().map(|settlement| ("settlement", settlement_json(settlement)));
        members.extend(burdens.into_iter().chain(settlement).map(|(key, value)| (key.to_owned(), value)));
    }
    json
}

/// A settlement as canonical protobuf JSON: numbers that are 0 are left out.
fn settlement_json(settlement: &Settlement) -> Value {
    let amounts = [
        ("entryFeeMinor", u64::from(settlement.entry_fee_minor)),
        ("potMinor", settlement.pot_minor),
        ("rakeMinor", settlement.rake_minor),
    ];
    let given = amounts.into_iter().filter(|&(_, amount)| amount != 0);
    let mut members: Object = given.map(|(name, amount)| (name.to_owned(), amount.into())).collect();
    members.insert("payoutMinor".into(), settlement.payout_minor.as_slice().into());
    members.into()
}

/// The legal actions of the seat on turn, by their canonical text.
fn legal_json<R: Positioned>(state: &R::State) -> Value {
    let mut actions = Vec::new();
    if let Some(seat) = R::on_turn(state) {
        R::legal_actions(state, seat, &mut actions);
    }
    let mut written: Vec<Value> = actions.iter().map(R::write_action).collect();
    written.sort_by_cached_key(Value::to_string);
    written.into()
}
