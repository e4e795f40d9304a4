//! The view digest: 16 bytes over a canonical text of a viewer's numbered state, by which a client finds out that it
//! has drifted. The text is specified in `docs/view-digest.md` and pinned by vectors in `seeds/digests/`.
//!
//! It is written from the very message that the viewer is sent, so it can tell nothing that the view does not.

use std::fmt::{self, Write};

use sha2::{Digest, Sha256};

use crate::wire::v1;

/// How many bytes of the SHA-256 travel.
const LEN: usize = 16;

/// The canonical text.
pub(crate) fn text(
    sequence: u32,
    status: v1::MatchStatus,
    view: Option<&v1::View>,
    outcome: Option<&v1::Outcome>,
) -> String {
    let mut text = String::with_capacity(1024);
    // Writing to a String cannot fail.
    let _ = write_text(&mut text, sequence, status, view, outcome);
    text
}

/// The digest that travels.
pub(crate) fn digest(text: &str) -> Vec<u8> {
    Sha256::digest(text.as_bytes())[..LEN].to_vec()
}

fn write_text(
    to: &mut String,
    sequence: u32,
    status: v1::MatchStatus,
    view: Option<&v1::View>,
    outcome: Option<&v1::Outcome>,
) -> fmt::Result {
    writeln!(to, "majlis-view-v1")?;
    writeln!(to, "sequence {sequence}")?;
    writeln!(to, "status {}", status.as_str_name())?;
    match view.and_then(|view| view.game.as_ref()) {
        None => writeln!(to, "table -")?,
        Some(v1::view::Game::Tonj(view)) => crate::tonj::digest::write(to, view)?,
        Some(v1::view::Game::TonjHouse(view)) => crate::tonj_house::digest::write(to, view)?,
        Some(v1::view::Game::Trix(view)) => crate::trix::digest::write(to, view)?,
    }
    let Some(outcome) = outcome else {
        return writeln!(to, "outcome -");
    };
    write!(to, "outcome {} winners", outcome.reason().as_str_name())?;
    for seat in &outcome.winner_seats {
        write!(to, " {seat}")?;
    }
    write!(to, " totals")?;
    for total in &outcome.totals {
        write!(to, " {total}")?;
    }
    if let Some(settlement) = &outcome.settlement {
        let v1::Settlement { entry_fee_minor, pot_minor, rake_minor, payout_minor } = settlement;
        write!(to, " settlement {entry_fee_minor} {pot_minor} {rake_minor}")?;
        for payout in payout_minor {
            write!(to, " {payout}")?;
        }
    }
    writeln!(to)
}
