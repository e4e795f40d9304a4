//! Trix tables as positions: reading one. What cannot stand on a table is refused in `position_checks.rs`; writing is
//! `position_text.rs`.

use std::sync::Arc;

use serde_json::Value;

use super::card_set::{CardSet, height, rank_at};
use super::contract::Contract;
use super::four::Four;
use super::options::{ForcedCapture, Options};
use super::position_checks::can_stand;
use super::position_text::NOTATION;
use super::state::{KINGDOM, LAST_DEAL, Phase, State};
use super::trick::Trick;
use crate::card::{Card, Rank, Suit};
use crate::census::Census;
use crate::json::{Malformed, boolean, enumeration, fields, uint32, uint32_or_zero};
use crate::position::{Fault, Given, Keys, seat};
use crate::seat::Seat;

/// Cards of a whole table.
const ALL_CARDS: usize = 52;

/// The state of a position.
pub(super) fn read(given: &Given, keys: &Keys<'_>) -> Result<State, Fault> {
    let options =
        read_options(&given.options).map_err(|Malformed| Fault("options is no TrixOptions message".into()))?;
    let mut state = State::new(options, None).map_err(|fault| Fault(fault.to_string()))?;
    state.deal = given.next_deals().map(Arc::new);
    read_course(&mut state, keys)?;
    read_table(&mut state, given, keys)?;
    state.totals = Four(keys.integers("totals")?);
    read_turn(&mut state, keys)?;
    can_stand(&state, given)?;
    count_points(&mut state);
    if state.phase == Phase::DealOver {
        state.points = state.final_points();
        if state.deal_number == LAST_DEAL {
            state.phase = Phase::MatchOver;
            state.winners = state.leaders();
        }
    }
    Ok(state)
}

/// Which deal it is, and how far it has come.
fn read_course(state: &mut State, keys: &Keys<'_>) -> Result<(), Fault> {
    state.deal_number = keys.counter("deal_number")?;
    if state.deal_number > LAST_DEAL {
        return Err(Fault(format!("deal_number is beyond the {LAST_DEAL} deals of a match")));
    }
    if keys.number("kingdom", state.kingdom())? != state.kingdom() {
        return Err(Fault(format!("deal_number {} is in kingdom {}", state.deal_number, state.kingdom())));
    }
    state.owner = keys.seat("owner", 4)?.ok_or_else(|| Fault("no owner".into()))?;
    for name in keys.entries("played_contracts")? {
        let contract = read_contract(name).ok_or_else(|| Fault("played_contracts names no contract".into()))?;
        if state.played.contains(&contract) || state.played.try_push(contract).is_err() {
            return Err(Fault(format!("{} stands twice in played_contracts", contract.name())));
        }
    }
    if state.played.len() as u32 != (state.deal_number - 1) % KINGDOM {
        let (played, number) = (state.played.len(), state.deal_number);
        return Err(Fault(format!("{played} played_contracts do not go with deal_number {number}")));
    }
    state.contract = match keys.get("contract") {
        None => None,
        Some(name) => Some(read_contract(name).ok_or_else(|| Fault("contract names no contract".into()))?),
    };
    state.phase = keys.get("phase").and_then(read_phase).ok_or_else(|| Fault("no phase of that name".into()))?;
    Ok(())
}

fn read_contract(name: &Value) -> Option<Contract> {
    name.as_str().and_then(Contract::named)
}

fn read_phase(name: &Value) -> Option<Phase> {
    let phases = [Phase::Choosing, Phase::Doubling, Phase::Tricks, Phase::Layout, Phase::DealOver];
    phases.into_iter().find(|phase| Some(phase.name()) == name.as_str())
}

fn read_table(state: &mut State, given: &Given, keys: &Keys<'_>) -> Result<(), Fault> {
    let mut census = Census::new(NOTATION);
    state.hands = Four(keys.piles::<4>("hands", &mut census)?.map(CardSet::from_iter));
    for (at, play) in keys.entries("trick")?.iter().enumerate() {
        let place = format!("trick[{at}]");
        let (seat, card) = read_play(play, &place)?;
        let card = census.card(card, &place)?;
        add_to_trick(&mut state.trick, seat, card)?;
    }
    for (seat, cards) in Seat::FOUR.into_iter().zip(keys.piles::<4>("taken", &mut census)?) {
        cards.into_iter().for_each(|card| state.taken.push(seat, card));
    }
    state.tricks_taken = Four(keys.numbers("tricks_taken")?);
    state.laid = read_rows(keys, &mut census)?;
    if !given.partial && census.len() != ALL_CARDS {
        return Err(Fault(format!("{} cards stand on the table, not {ALL_CARDS}", census.len())));
    }
    for number in keys.entries("finished")? {
        let seat = seat(number, 4).ok_or_else(|| Fault("finished holds what is no seat".into()))?;
        if state.finished.contains(&seat) || state.finished.try_push(seat).is_err() {
            return Err(Fault(format!("seat {seat} stands twice in finished")));
        }
    }
    for (number, cards) in keys.members("answers")? {
        let seat = number.parse().ok().and_then(|number| Seat::at_table(number, 4)).filter(|_| number.len() == 1);
        let seat = seat.ok_or_else(|| Fault("answers names no seat".into()))?;
        let place = format!("answers[{seat}]");
        let cards = cards.as_array().ok_or_else(|| Fault(format!("{place} is no list of cards")))?;
        let mut answer = CardSet::EMPTY;
        for card in cards {
            add_once(&mut answer, census.named(card, &place)?, &place)?;
        }
        state.answers[seat] = Some(answer);
    }
    for (at, doubled) in keys.entries("doubled")?.iter().enumerate() {
        let place = format!("doubled[{at}]");
        let (seat, card) = read_play(doubled, &place)?;
        add_once(&mut state.doubled[seat], census.named(card, &place)?, &place)?;
    }
    Ok(())
}

fn read_play<'a>(value: &'a Value, place: &str) -> Result<(Seat, &'a Value), Fault> {
    let fault = || Fault(format!("{place} is no seat with its card"));
    let members = value.as_object().filter(|members| members.len() == 2).ok_or_else(fault)?;
    let seat = members.get("seat").and_then(|number| seat(number, 4)).ok_or_else(fault)?;
    Ok((seat, members.get("card").ok_or_else(fault)?))
}

/// The seats of a trick follow each other (X1).
fn add_to_trick(trick: &mut Trick, seat: Seat, card: Card) -> Result<(), Fault> {
    let next = trick.plays().last().map_or(seat, |(last, _)| last.next_of_four());
    if trick.cards.is_empty() {
        trick.leader = seat;
    }
    if seat != next || trick.cards.try_push(card).is_err() || trick.is_full() {
        return Err(Fault(format!("seat {seat} cannot have played to the trick here")));
    }
    Ok(())
}

fn add_once(set: &mut CardSet, card: Card, place: &str) -> Result<(), Fault> {
    if set.contains(card) {
        return Err(Fault(format!("{} stands twice: {place}", NOTATION.write(card))));
    }
    set.insert(card);
    Ok(())
}

/// X10: every row holds its jack and has no gap.
fn read_rows(keys: &Keys<'_>, census: &mut Census) -> Result<CardSet, Fault> {
    let mut laid = CardSet::EMPTY;
    for (name, ends) in keys.members("rows")? {
        let fault = || Fault(format!("rows.{name} is no low and high end about the jack of a suit"));
        let mut letters = name.chars();
        let (Some(suit), None) = (letters.next().and_then(Suit::of_letter), letters.next()) else {
            return Err(fault());
        };
        let Some([low, high]) = ends.as_array().map(Vec::as_slice) else { return Err(fault()) };
        let (low, high) = (read_height(low).ok_or_else(fault)?, read_height(high).ok_or_else(fault)?);
        if !(low..=high).contains(&height(Rank::JACK)) {
            return Err(fault());
        }
        for rank in (low..=high).map(rank_at) {
            let card = Card::new(suit, rank, 0);
            census.note(card, &format!("rows.{name}"))?;
            laid.insert(card);
        }
    }
    Ok(laid)
}

fn read_height(rank: &Value) -> Option<u8> {
    let mut letters = rank.as_str()?.chars();
    let rank = letters.next().and_then(Rank::of_letter)?;
    letters.next().is_none().then(|| height(rank))
}

fn read_turn(state: &mut State, keys: &Keys<'_>) -> Result<(), Fault> {
    let turn = keys.seat("turn_seat", 4)?;
    state.turn = match (state.phase, turn) {
        (Phase::Doubling, Some(_)) => return Err(Fault("turn_seat while doubling: nobody is on turn".into())),
        (Phase::Doubling | Phase::DealOver, _) => state.owner,
        (_, None) => return Err(Fault("no turn_seat".into())),
        (_, Some(seat)) => seat,
    };
    if state.trick.cards.is_empty() {
        state.trick.leader = state.turn;
    }
    Ok(())
}

/// What was scored in this deal follows from what lies on the table (X7, X9, X10).
fn count_points(state: &mut State) {
    for seat in Seat::FOUR {
        let taken: Vec<Card> = state.taken.by(seat).collect();
        taken.chunks(4).for_each(|trick| state.count_cards(seat, trick));
        state.count_tricks(seat, state.tricks_taken[seat]);
    }
    for seat in std::mem::take(&mut state.finished) {
        state.count_finish(seat);
    }
}

/// `TrixOptions` as protobuf JSON.
fn read_options(value: &Value) -> Result<Options, Malformed> {
    let names = [
        "chooseSeconds",
        "doubleSeconds",
        "playSeconds",
        "autoPlayDelayMs",
        "playOut",
        "forcedCapture",
        "showLegalMoves",
        "awayDelayMs",
    ];
    let [choose, double, play, auto, play_out, capture, show, away] = fields(value, names)?;
    let captures = ["FORCED_CAPTURE_UNSPECIFIED", ForcedCapture::Base.name(), ForcedCapture::LeaderPays.name()];
    Ok(Options {
        choose_seconds: uint32_or_zero(choose)?,
        double_seconds: uint32_or_zero(double)?,
        play_seconds: uint32_or_zero(play)?,
        auto_play_delay_ms: auto.map(uint32).transpose()?,
        play_out: boolean(play_out)?,
        forced_capture: match enumeration(capture, &captures)? {
            0 | 1 => ForcedCapture::Base,
            2 => ForcedCapture::LeaderPays,
            _ => return Err(Malformed),
        },
        show_legal_moves: show.map(|show| boolean(Some(show))).transpose()?,
        away_delay_ms: uint32_or_zero(away)?,
    })
}
