//! Perft: how many ways of going on there are to a given depth. Two implementations that agree on the counts agree on
//! the rules. Two tables: over legal actions alone, and over faulty attempts and what they lead to besides.

use serde_json::Value;

use crate::for_game;
use crate::game::Rules;
use crate::position::{self, Fault, Object, Positioned};

/// Which ways of going on are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// Legal actions of the seat on turn, one ply each.
    Legal,
    /// Those, and every way in which each faulty attempt can come out, one ply each too.
    Faults,
}

/// The number of nodes exactly `depth` plies below `state`; a game that is over has none below it.
#[must_use]
pub fn perft<R: Rules>(state: &R::State, depth: u32, width: Width) -> u64 {
    if depth == 0 {
        return 1;
    }
    let Some(seat) = R::to_act(state) else { return 0 };
    let mut actions = Vec::new();
    R::legal_actions(state, seat, &mut actions);
    if depth == 1 && width == Width::Legal {
        return actions.len() as u64;
    }
    let mut nodes = 0;
    for action in &actions {
        let mut next = state.clone();
        if R::play(&mut next, seat, action).is_ok() {
            nodes += perft::<R>(&next, depth - 1, width);
        }
    }
    if width == Width::Faults {
        R::after_faults(state, seat, &mut |next| nodes += perft::<R>(&next, depth - 1, width));
    }
    nodes
}

/// One entry of a perft table in `seeds/perft`.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its name.
    pub id: String,
    /// The position it counts from.
    pub position: Object,
    /// What was counted.
    pub counts: Vec<Count>,
}

/// How many nodes there are so far below an entry's position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// Which ways of going on.
    pub width: Width,
    /// In plies.
    pub depth: u32,
    /// Nodes exactly there.
    pub nodes: u64,
}

/// Reads a perft table: lines `id NAME`, `position JSON`, `legal DEPTH NODES` and `faults DEPTH NODES`; blank lines
/// and those that start with `#` say nothing.
///
/// # Errors
/// [`Fault`] naming the line.
pub fn read_table(text: &str) -> Result<Vec<Entry>, Fault> {
    let mut entries: Vec<Entry> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let fault = || Fault(format!("line {number} is no entry of a perft table"));
        let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        let width = match word {
            "" => continue,
            comment if comment.starts_with('#') => continue,
            "id" => {
                entries.push(Entry { id: rest.trim().into(), position: Object::new(), counts: Vec::new() });
                continue;
            }
            "position" => {
                entries.last_mut().ok_or_else(fault)?.position = serde_json::from_str(rest).map_err(|_| fault())?;
                continue;
            }
            "legal" => Width::Legal,
            "faults" => Width::Faults,
            _ => return Err(fault()),
        };
        let mut numbers = rest.split_whitespace().map(str::parse::<u64>);
        let (Some(Ok(depth)), Some(Ok(nodes)), None) = (numbers.next(), numbers.next(), numbers.next()) else {
            return Err(fault());
        };
        let count = Count { width, depth: u32::try_from(depth).map_err(|_| fault())?, nodes };
        entries.last_mut().ok_or_else(fault)?.counts.push(count);
    }
    Ok(entries)
}

impl Entry {
    /// Counts again.
    ///
    /// # Errors
    /// [`Fault`] if the position cannot be read.
    pub fn count(&self, width: Width, depth: u32) -> Result<u64, Fault> {
        let game = self.position.get("game").and_then(Value::as_str).unwrap_or_default();
        for_game!(game, count(&self.position, width, depth)).ok_or_else(|| Fault("game names no game".into()))?
    }
}

fn count<R: Positioned>(position: &Object, width: Width, depth: u32) -> Result<u64, Fault> {
    let (state, _) = position::read::<R>(position)?;
    Ok(perft::<R>(&state, depth, width))
}
