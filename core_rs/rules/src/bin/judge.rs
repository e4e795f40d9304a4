//! Judges positions: one JSON object a line from standard input, one a line to standard output. Exit status 1 if any
//! line was an error.

use std::io::{BufRead, Write};
use std::process::ExitCode;

use majlis_rules::judge::judge_line;

fn main() -> ExitCode {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut status = ExitCode::SUCCESS;
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { return ExitCode::FAILURE };
        if line.trim().is_empty() {
            continue;
        }
        let (answer, failed) = judge_line(&line);
        if failed {
            status = ExitCode::FAILURE;
        }
        if writeln!(out, "{answer}").is_err() {
            return ExitCode::FAILURE;
        }
    }
    status
}
