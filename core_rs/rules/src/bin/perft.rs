//! Counts perft tables again: `perft FILE…` prints every line with `ok` or `wrong`, and fails on a difference.

#![allow(clippy::disallowed_methods, reason = "it measures")]

use std::process::ExitCode;
use std::time::Instant;

use majlis_rules::perft::{Entry, Width, read_table};

fn main() -> ExitCode {
    let begun = Instant::now();
    let (mut right, mut wrong, mut nodes) = (0, 0, 0);
    for path in std::env::args().skip(1) {
        let table = std::fs::read_to_string(&path).map_err(|error| error.to_string());
        match table.and_then(|text| read_table(&text).map_err(|fault| fault.to_string())) {
            Ok(entries) => entries.iter().for_each(|entry| count(entry, &mut right, &mut wrong, &mut nodes)),
            Err(fault) => {
                println!("{path}: {fault}");
                wrong += 1;
            }
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    println!("perft: {right} ok, {wrong} wrong, {nodes} nodes in {seconds:.1} s");
    if wrong == 0 && right > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn count(entry: &Entry, right: &mut u32, wrong: &mut u32, nodes: &mut u64) {
    for wanted in &entry.counts {
        let width = match wanted.width {
            Width::Legal => "legal",
            Width::Faults => "faults",
        };
        let line = format!("{} {width} {} {}", entry.id, wanted.depth, wanted.nodes);
        match entry.count(wanted.width, wanted.depth) {
            Ok(found) if found == wanted.nodes => {
                *right += 1;
                *nodes += found;
                println!("ok    {line}");
            }
            Ok(found) => {
                *wrong += 1;
                println!("wrong {line}: counted {found}");
            }
            Err(fault) => {
                *wrong += 1;
                println!("wrong {line}: {fault}");
            }
        }
    }
}
