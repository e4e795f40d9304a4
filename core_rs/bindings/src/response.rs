//! Messages to viewers, made from a sitting: each holds what its viewer may see and nothing else.

use majlis_rules::seat::Seat;
use prost::Message;

use crate::{
    audience::{Audience, Viewer},
    clock::{self, Waits},
    digest,
    fact::Fact,
    seats::{Seated, Seats},
    sitting::Sitting,
    wire::{
        timestamp,
        v1::{self, event::Kind},
    },
};

/// A `Match`; `connected` lists the seats whose players watch.
pub(crate) fn public(sitting: &Sitting, connected: &[u32]) -> v1::Match {
    let header = &sitting.header;
    v1::Match {
        match_id: header.match_id.clone(),
        game: header.options.game() as i32,
        rules_version: header.rules_version.clone(),
        options: Some(header.options.write()),
        seats: (0..sitting.seats.count() as u32)
            .filter_map(|seat| seat_of(sitting, seat, connected.contains(&seat)))
            .collect(),
        status: sitting.status as i32,
        sequence: sitting.sequence,
        create_time: Some(timestamp(header.created_ms)),
        end_time: sitting.end_ms.map(timestamp),
        outcome: sitting.outcome.as_deref().cloned(),
        deal_commitment: header.commitment.to_vec(),
        external_id: header.external_id.clone(),
        visibility: header.visibility as i32,
        table_id: header.terms.table_id.clone(),
        rematch_of: header.terms.rematch_of.clone(),
    }
}

fn seat_of(sitting: &Sitting, seat: u32, connected: bool) -> Option<v1::Seat> {
    let seated = sitting.seats.get(seat)?;
    Some(v1::Seat {
        seat,
        player_id: seated.player.player_id.clone(),
        display_name: seated.player.display_name.clone(),
        connected,
        stake_confirmed: seated.stake_confirmed,
        has_come: seated.has_come,
        away: Seat::at_table(seat, sitting.header.options.seats() as u32)
            .is_some_and(|seat| sitting.table.is_away(seat)),
    })
}

fn free(seats: &Seats) -> Vec<u32> {
    (0..).zip(seats.iter()).filter(|(_, seated)| seated.is_none()).map(|(seat, _)| seat).collect()
}

/// The seats whose players owe something still.
fn owing(seats: &Seats, has_done: impl Fn(&Seated) -> bool) -> Vec<u32> {
    let owes = |seated: Option<&Seated>| seated.is_some_and(|seated| !has_done(seated));
    (0..).zip(seats.iter()).filter(|(_, seated)| owes(*seated)).map(|(seat, _)| seat).collect()
}

/// What the match waits for.
fn waits_for(sitting: &Sitting) -> Option<v1::Clock> {
    let running = sitting.clock.running()?;
    Some(v1::Clock {
        deadline: Some(timestamp(running.deadline_ms)),
        awaited_seats: match running.kind {
            Waits::Seats => free(&sitting.seats),
            Waits::Stakes => owing(&sitting.seats, |seated| seated.stake_confirmed),
            Waits::Connect => owing(&sitting.seats, |seated| seated.has_come),
            Waits::Table(_) => sitting.table.awaited(),
        },
        kind: clock::write_waits(running.kind) as i32,
        paused_remaining_ms: sitting.clock.frozen_ms().map_or(0, |left| left as u32),
    })
}

/// A `GetMatchResponse`.
pub(crate) fn get_match(sitting: &Sitting, viewer: Viewer, now_ms: i64, connected: &[u32]) -> v1::GetMatchResponse {
    let view = sitting.table.view(viewer);
    v1::GetMatchResponse {
        r#match: Some(public(sitting, connected)),
        view_digest: view_digest(sitting, view.as_ref()),
        view,
        clock: waits_for(sitting),
        legal_actions: sitting.table.legal_actions(viewer, &sitting.header.options),
        server_time: Some(timestamp(now_ms)),
        private_state: private_state(sitting, viewer),
    }
}

/// A `Snapshot` in its envelope.
pub(crate) fn snapshot(sitting: &Sitting, viewer: Viewer, now_ms: i64, connected: &[u32]) -> v1::WatchMatchResponse {
    let view = sitting.table.view(viewer);
    let snapshot = v1::Snapshot {
        r#match: Some(public(sitting, connected)),
        view_digest: view_digest(sitting, view.as_ref()),
        view,
        viewer_seat: viewer.seat().map(|seat| seat.number().into()),
        legal_actions: sitting.table.legal_actions(viewer, &sitting.header.options),
        private_state: private_state(sitting, viewer),
    };
    envelope(sitting, now_ms, v1::watch_match_response::Body::Snapshot(snapshot))
}

/// An `EventBatch` in its envelope: the facts that brought the sitting about, those after `after_sequence`.
pub(crate) fn batch(
    sitting: &Sitting,
    facts: &[Fact],
    viewer: Viewer,
    now_ms: i64,
    after_sequence: u32,
    view_digest: Vec<u8>,
) -> v1::WatchMatchResponse {
    let batch = v1::EventBatch {
        events: events(sitting, facts, Audience::Viewer(viewer))
            .filter(|event| event.sequence > after_sequence)
            .collect(),
        view_digest,
        legal_actions: sitting.table.legal_actions(viewer, &sitting.header.options),
        private_state: private_state(sitting, viewer),
    };
    envelope(sitting, now_ms, v1::watch_match_response::Body::Events(batch))
}

/// The answer to the action that caused the facts.
pub(crate) fn answer(sitting: &Sitting, facts: &[Fact], viewer: Viewer) -> v1::SubmitActionResponse {
    v1::SubmitActionResponse {
        sequence: sitting.sequence,
        events: events(sitting, facts, Audience::Viewer(viewer)).collect(),
    }
}

/// The facts of the record that brought the sitting about, numbered, as an audience may read them.
pub(crate) fn events(sitting: &Sitting, facts: &[Fact], audience: Audience) -> impl Iterator<Item = v1::Event> {
    let public = facts.iter().filter(|fact| fact.is_public());
    let first = sitting.sequence + 1 - public.clone().count() as u32;
    (first..).zip(public).map(move |(sequence, fact)| v1::Event {
        sequence,
        time: Some(timestamp(sitting.instant_ms)),
        // Whatever has a number is told; what of it a viewer may not read is for the fact to say.
        kind: Some(fact.shown(sitting, audience).unwrap_or(Kind::Hidden(v1::Hidden {}))),
    })
}

/// What only a seat may know; `None` for spectators, and in games that have no such thing.
fn private_state(sitting: &Sitting, viewer: Viewer) -> Option<v1::PrivateState> {
    let seat = viewer.seat()?;
    let may_double = sitting.table.is_asked(seat)?;
    Some(v1::PrivateState { may_double, auto_play_time: sitting.auto_play_ms(seat).map(timestamp) })
}

/// A notice of what only a seat may know, in its envelope; `None` if there is no such thing.
pub(crate) fn private_notice(sitting: &Sitting, viewer: Viewer, now_ms: i64) -> Option<v1::WatchMatchResponse> {
    let notice = v1::Notice { kind: Some(v1::notice::Kind::PrivateState(private_state(sitting, viewer)?)) };
    Some(envelope(sitting, now_ms, v1::watch_match_response::Body::Notice(notice)))
}

/// A `Heartbeat` in its envelope.
pub(crate) fn heartbeat(sitting: &Sitting, now_ms: i64) -> v1::WatchMatchResponse {
    envelope(sitting, now_ms, v1::watch_match_response::Body::Heartbeat(v1::Heartbeat {}))
}

/// A presence notice in its envelope.
pub(crate) fn presence(sitting: &Sitting, seat: u32, connected: bool, now_ms: i64) -> Option<v1::WatchMatchResponse> {
    let notice = v1::Notice { kind: Some(v1::notice::Kind::Presence(seat_of(sitting, seat, connected)?)) };
    Some(envelope(sitting, now_ms, v1::watch_match_response::Body::Notice(notice)))
}

/// A notice of the rematch that was made, in its envelope.
pub(crate) fn rematch(sitting: &Sitting, rematch_id: String, now_ms: i64) -> v1::WatchMatchResponse {
    let notice = v1::Notice { kind: Some(v1::notice::Kind::RematchId(rematch_id)) };
    envelope(sitting, now_ms, v1::watch_match_response::Body::Notice(notice))
}

/// A drain notice in its envelope.
pub(crate) fn drain(sitting: &Sitting, within_ms: u32, now_ms: i64) -> v1::WatchMatchResponse {
    let notice = v1::Notice { kind: Some(v1::notice::Kind::Drain(v1::Drain { within_ms })) };
    envelope(sitting, now_ms, v1::watch_match_response::Body::Notice(notice))
}

fn envelope(sitting: &Sitting, now_ms: i64, body: v1::watch_match_response::Body) -> v1::WatchMatchResponse {
    v1::WatchMatchResponse {
        sequence: sitting.sequence,
        server_time: Some(timestamp(now_ms)),
        clock: waits_for(sitting),
        body: Some(body),
    }
}

/// The digest of what a viewer sees.
pub(crate) fn digest_for(sitting: &Sitting, viewer: Viewer) -> Vec<u8> {
    view_digest(sitting, sitting.table.view(viewer).as_ref())
}

fn view_digest(sitting: &Sitting, view: Option<&v1::View>) -> Vec<u8> {
    digest::digest(&digest::text(sitting.sequence, sitting.status, view, sitting.outcome.as_deref()))
}

/// The bytes of a message.
pub(crate) fn bytes(message: &impl Message) -> Vec<u8> {
    message.encode_to_vec()
}
