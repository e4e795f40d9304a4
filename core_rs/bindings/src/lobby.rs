//! What may happen to a match before it starts: seats are taken and given back, fees confirmed, its players come, and it
//! starts or is void.
//! Each question is answered with the facts that follow, or with a refusal; the log's order decides who was first.

use crate::{
    errors::Fault,
    fact::Fact,
    game,
    header::{Header, Wanted},
    seal::Keys,
    seats::Player,
    sitting::Sitting,
    terms::Terms,
    wire::v1::{EndReason, MatchStatus},
};

/// A new match with its first players, and the facts that found it: it starts at once if nothing is to be waited for.
///
/// # Errors
/// [`Fault::Failed`]: no seed could be drawn.
pub(crate) fn found(wanted: Wanted, match_id: String, now_ms: i64, keys: &Keys) -> Result<(Sitting, Vec<Fact>), Fault> {
    let (header, deals) = Header::found(&wanted, match_id, now_ms, keys)?;
    let sitting = Sitting::new(header, deals)?;
    let mut facts = vec![Fact::Created];
    facts.extend(wanted.players.into_iter().map(|(seat, player)| Fact::SeatTaken { seat, player }));
    with_start(&sitting, facts).map(|facts| (sitting, facts))
}

/// A player takes a seat: the one that is kept for him, or the first that is free.
///
/// # Errors
/// He has one already, there is none for him, or the match does not wait any more.
pub(crate) fn join(sitting: &Sitting, player: Player) -> Result<Vec<Fact>, Fault> {
    // In a void match everybody may still have his seat, and waits there no more.
    if sitting.status != MatchStatus::Void && sitting.seats.of(&player.player_id).is_some() {
        return Err(Fault::Refused("OWN_ROOM"));
    }
    still_waits(sitting)?;
    let terms = &sitting.header.terms;
    let seat = if terms.reserved.is_empty() {
        sitting.seats.first_free()
    } else {
        let kept = terms.kept_for(&player.player_id).ok_or(NOT_SEATED)?;
        sitting.seats.get(kept).is_none().then_some(kept)
    };
    let seat = seat.ok_or(Fault::Refused("SEATS_TAKEN"))?;
    with_start(sitting, vec![Fact::SeatTaken { seat, player }])
}

/// A player gives his seat back. The match is void when nobody is left, and when it is full, since then fees are due or
/// players come: whoever has paid gets it back, and nobody's fee waits for a stranger.
///
/// # Errors
/// He has none, or the match does not wait any more.
pub(crate) fn leave(sitting: &Sitting, player_id: &str) -> Result<Vec<Fact>, Fault> {
    let seat = sitting.seats.of(player_id).ok_or(NOT_SEATED)?;
    still_waits(sitting)?;
    if sitting.seats.are_full() {
        return Ok(vec![CANCELLED]);
    }
    let left = Fact::SeatLeft { seat };
    let others = sitting.seats.iter().flatten().count() > 1;
    Ok(if others { vec![left] } else { vec![left, CANCELLED] })
}

/// A player's fee is taken; nothing follows if that was known.
///
/// # Errors
/// No fee is asked of him, or not now.
pub(crate) fn confirm_stake(sitting: &Sitting, player_id: &str) -> Result<Vec<Fact>, Fault> {
    let seat = sitting.seats.of(player_id).ok_or(NOT_SEATED)?;
    if !sitting.header.asks_for_stakes() {
        return Err(Fault::Refused("NO_STAKE"));
    }
    still_waits(sitting)?;
    if !sitting.seats.are_full() {
        return Err(Fault::Refused("SEATS_FREE"));
    }
    if sitting.seats.get(seat).is_some_and(|seated| seated.stake_confirmed) {
        return Ok(Vec::new());
    }
    with_start(sitting, vec![Fact::StakeConfirmed { seat }])
}

/// A player opens the match; nothing follows unless he is still waited for.
///
/// # Errors
/// He has no seat.
pub(crate) fn connect(sitting: &Sitting, player_id: &str) -> Result<Vec<Fact>, Fault> {
    let seat = sitting.seats.of(player_id).ok_or(NOT_SEATED)?;
    if awaits(sitting, player_id) { with_start(sitting, vec![Fact::PlayerConnected { seat }]) } else { Ok(Vec::new()) }
}

/// Whether the match waits for this player to open it.
pub(crate) fn awaits(sitting: &Sitting, player_id: &str) -> bool {
    let has_come = |seat| sitting.seats.get(seat).is_some_and(|seated| seated.has_come);
    sitting.header.waits_for_players()
        && sitting.status == MatchStatus::Waiting
        && sitting.seats.of(player_id).is_some_and(|seat| !has_come(seat))
}

/// What it waited for did not come in time.
///
/// # Errors
/// No clock runs.
pub(crate) fn lapse(sitting: &Sitting) -> Result<Vec<Fact>, Fault> {
    still_waits(sitting).map_err(|_| game::NO_CLOCK)?;
    Ok(vec![if sitting.awaits_players() { NO_SHOW } else { CANCELLED }])
}

/// Either of the two that make a match void at once: what it waited for did not come in time, or somebody left a full
/// one. Only the reason tells them apart.
///
/// # Errors
/// Neither can have been.
pub(crate) fn called_off(sitting: &Sitting, reason: EndReason) -> Result<Vec<Fact>, Fault> {
    still_waits(sitting)?;
    if sitting.seats.are_full() && reason == EndReason::Cancelled {
        return Ok(vec![CANCELLED]);
    }
    sitting.clock.running().ok_or(game::NO_CLOCK)?;
    lapse(sitting)
}

/// The match that the same players may play again, each one seat further round, with the first of them in it.
///
/// # Errors
/// It has not ended with a result, or he had no seat in it.
pub(crate) fn rematch(old: &Sitting, player_id: &str, seats_ms: u32, stakes_ms: u32) -> Result<Wanted, Fault> {
    let seat = old.seats.of(player_id).ok_or(NOT_SEATED)?;
    match old.status {
        MatchStatus::Ended => {}
        MatchStatus::Void => return Err(Fault::Refused("MATCH_VOID")),
        _ => return Err(Fault::Refused("MATCH_NOT_ENDED")),
    }
    let mut players: Vec<_> = old.seats.iter().flatten().map(|seated| seated.player.clone()).collect();
    players.rotate_right(1);
    let next = (seat + 1) % old.seats.count() as u32;
    Ok(Wanted {
        external_id: String::new(),
        options: old.header.options.clone(),
        visibility: old.header.visibility,
        players: vec![(next, players[next as usize].clone())],
        terms: Terms {
            seats_ms,
            stakes_ms,
            rematch_of: old.header.match_id.clone(),
            reserved: players.into_iter().map(|player| player.player_id).collect(),
            ..Terms::default()
        },
    })
}

/// The table, once the match has started.
///
/// # Errors
/// It waits still, or is void: nothing was ever dealt.
pub(crate) fn opened(sitting: &Sitting) -> Result<&game::Table, Fault> {
    match sitting.status {
        MatchStatus::Waiting => Err(Fault::Refused("NOT_STARTED")),
        MatchStatus::Void => Err(Fault::Refused("MATCH_VOID")),
        _ => Ok(&sitting.table),
    }
}

const NOT_SEATED: Fault = Fault::Refused("NOT_SEATED");
const CANCELLED: Fact = Fact::Voided { reason: EndReason::Cancelled };
const NO_SHOW: Fact = Fact::Voided { reason: EndReason::NoShow };

/// # Errors
/// The match has started, or is over.
fn still_waits(sitting: &Sitting) -> Result<(), Fault> {
    match sitting.status {
        MatchStatus::Waiting => Ok(()),
        MatchStatus::Void => Err(Fault::Refused("MATCH_VOID")),
        MatchStatus::Ended => Err(Fault::Refused("MATCH_OVER")),
        MatchStatus::Active | MatchStatus::Unspecified => Err(Fault::Refused("ALREADY_STARTED")),
    }
}

/// These facts, and the start and the first deal if nothing is waited for after them.
fn with_start(before: &Sitting, mut facts: Vec<Fact>) -> Result<Vec<Fact>, Fault> {
    if before.would_start(&facts)? {
        facts.push(Fact::Started);
        facts.extend(before.table.start()?.into_iter().map(Fact::Game));
    }
    Ok(facts)
}
