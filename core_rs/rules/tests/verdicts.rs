//! The verdict cases in `seeds/verdicts`: a judge's line each, with what is expected beside it.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use majlis_rules::judge::judge_line;
use majlis_rules::refusal::Reason;
use serde_json::Value;

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn cases() -> Vec<Value> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../seeds/verdicts"));
    let text: Vec<String> = files(folder).iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
    text.iter().flat_map(|text| text.lines()).map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The first difference, on the keys that are expected.
fn difference(expected: &Value, found: &Value, place: &str) -> Option<String> {
    match (expected, found) {
        (Value::Object(expected), Value::Object(members)) => expected.iter().find_map(|(key, value)| {
            let place = format!("{place}.{key}");
            match members.get(key) {
                Some(found) => difference(value, found, &place),
                None => Some(format!("{place} is missing")),
            }
        }),
        (Value::Array(expected), Value::Array(list)) if place.ends_with("results") && expected.len() == list.len() => {
            let pairs = expected.iter().zip(list).enumerate();
            pairs.into_iter().find_map(|(at, (expected, found))| difference(expected, found, &format!("{place}[{at}]")))
        }
        _ if expected == found => None,
        _ => Some(format!("{place}: expected {expected}, found {found}")),
    }
}

fn judged(case: &Value) -> (Value, bool) {
    let mut line = case.as_object().unwrap().clone();
    line.remove("expect");
    line.remove("why");
    let (answer, failed) = judge_line(&Value::Object(line).to_string());
    (serde_json::from_str(&answer).unwrap(), failed)
}

#[test]
fn every_case_is_judged_as_expected() {
    let mut wrong = Vec::new();
    for case in cases() {
        let (answer, failed) = judged(&case);
        let expect = case["expect"].as_object().unwrap();
        let fault = if expect.contains_key("error") {
            (!failed || !answer["error"].is_string()).then(|| "an error was expected".to_owned())
        } else {
            difference(&Value::Object(expect.clone()), &answer, "answer")
        };
        if let Some(fault) = fault {
            wrong.push(format!("{} ({}): {fault}", case["id"], case["why"]));
        }
        assert_eq!(answer["id"], case["id"]);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Each clause that can be judged at a table has cases of its own, and ids are unique.
#[test]
fn every_clause_has_cases() {
    let cases = cases();
    let ids: Vec<&str> = cases.iter().map(|case| case["id"].as_str().unwrap()).collect();
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "an id stands twice");
    // X13 is about viewers, X21 about interfaces: no judge's matter.
    let of_trix = (1..=20).filter(|&clause| clause != 13).map(|clause| ('x', clause));
    let of_tonj = (1..=44).map(|clause| ('t', clause));
    let of_house = (1..=29).map(|clause| ('h', clause));
    for (game, clause) in of_tonj.chain(of_house).chain(of_trix) {
        let prefix = format!("{game}{clause:02}-");
        assert!(ids.iter().any(|id| id.starts_with(&prefix)), "no case of {prefix}");
    }
}

/// Each reason of the catalogue is some case's, but for those that only a match that has not begun can meet.
#[test]
fn every_reason_has_a_case() {
    let mut found = BTreeSet::from(["NOT_STARTED".to_owned(), "ALREADY_STARTED".to_owned()]);
    for case in cases() {
        let (answer, _) = judged(&case);
        let results = answer["results"].as_array().cloned().unwrap_or_default();
        found.extend(results.iter().filter_map(|result| result["reason"].as_str().map(str::to_owned)));
    }
    assert_eq!(found, Reason::ALL.iter().map(|reason| reason.code().to_owned()).collect());
}

/// What was expected is reached by a judge that sees the steps one at a time as well: a position carries everything.
#[test]
fn a_position_carries_all_that_later_steps_need() {
    for case in cases().iter().filter(|case| case["expect"].get("error").is_none()) {
        // The history of T27 is no part of a position, nor is who was given up (X17).
        if ["t27-", "x17-"].iter().any(|clause| case["id"].as_str().unwrap().starts_with(clause)) {
            continue;
        }
        let (whole, _) = judged(case);
        let mut position = case["position"].clone();
        for (at, step) in case["steps"].as_array().unwrap().iter().enumerate() {
            let line = serde_json::json!({"position": position, "steps": [step]});
            let (answer, failed) = judge_line(&line.to_string());
            let answer: Value = serde_json::from_str(&answer).unwrap();
            if failed {
                break;
            }
            assert_eq!(answer["results"][0], whole["results"][at], "{} step {at}", case["id"]);
            if !answer["outcome"].is_null() {
                break;
            }
            position = answer["position"].clone();
        }
    }
}

#[test]
fn lines_that_are_no_requests_are_errors_of_their_own() {
    let position = r#""position":{"game":"tonj","turn_seat":0,"partial":true,"hands":[["8C0"],[]]}"#;
    let bad = [
        "",
        "7",
        "[]",
        "{}",
        r#"{"id":1}"#,
        r#"{"position":{}}"#,
        r#"{"position":{"game":"whist"}}"#,
        &format!(r#"{{{position},"steps":7}}"#),
        &format!(r#"{{{position},"steps":[{{}}]}}"#),
        &format!(r#"{{{position},"steps":[{{"action":{{"reveal":{{}}}}}}]}}"#),
        &format!(r#"{{{position},"steps":[{{"seat":0,"action":{{}},"expire":"turn"}}]}}"#),
    ];
    for line in bad {
        let (answer, failed) = judge_line(line);
        assert!(failed && serde_json::from_str::<Value>(&answer).unwrap()["error"].is_string(), "{line}: {answer}");
    }
    let (answer, failed) = judge_line(&format!("{{{position}}}"));
    assert!(!failed, "{answer}");
}
