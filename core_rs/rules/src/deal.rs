//! Positions right after a deal, for whoever wants to see or check one.

use crate::deck::DealSource;
use crate::for_game;
use crate::position::{self, Fault, Positioned};

/// The position of `game` right after deal `number` (from 1), as canonical JSON. `entropies` by seat, in bytes; a
/// missing one counts as empty (T42).
///
/// # Errors
/// [`Fault`] for an unknown game, a deal that there is not, too many entropies, or one above 255 bytes.
pub fn position_after_deal(game: &str, seed: [u8; 32], entropies: Vec<Vec<u8>>, number: u32) -> Result<String, Fault> {
    let deal = DealSource::new(seed, entropies);
    let deal = deal.map_err(|long| Fault(format!("entropy {} is longer than 255 bytes", long.seat)))?;
    for_game!(game, after_deal(deal, number)).ok_or_else(|| Fault(format!("no game is called {game}")))?
}

fn after_deal<R: Positioned>(deal: DealSource, number: u32) -> Result<String, Fault> {
    if deal.entropies().len() > R::SEATS as usize {
        return Err(Fault(format!("more entropies than the {} seats", R::SEATS)));
    }
    let (state, given) = R::after_deal(deal, number)?;
    let position = position::write::<R>(&state, &given);
    Ok(serde_json::Value::Object(position).to_string())
}
