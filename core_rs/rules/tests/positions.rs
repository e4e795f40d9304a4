//! Positions that are nonsense: an error, or a table that can be judged; never a panic.
#![allow(clippy::unwrap_used)]

use majlis_rules::judge::judge_line;
use majlis_rules::playout::Xorshift;
use serde_json::{Value, json};

/// The judge's lines of all verdict cases.
fn lines() -> Vec<Value> {
    let mut lines = Vec::new();
    for game in ["tonj", "tonj_house", "trix"] {
        let folder = format!("{}/../../seeds/verdicts/{game}", env!("CARGO_MANIFEST_DIR"));
        for file in std::fs::read_dir(folder).unwrap() {
            let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
            lines.extend(text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()));
        }
    }
    assert!(lines.len() > 500);
    lines
}

/// Puts something else into one place at or below `value`.
fn spoil(value: &mut Value, chance: &mut Xorshift) {
    let below = match value {
        Value::Array(list) if !list.is_empty() => {
            let at = chance.below(list.len());
            match chance.below(8) {
                0 => return drop(list.remove(at)),
                1 => return list.push(list[at].clone()),
                2 => return list.swap(0, at),
                _ => list.get_mut(at),
            }
        }
        Value::Object(members) if !members.is_empty() => {
            let key = members.keys().nth(chance.below(members.len())).unwrap().clone();
            if chance.below(8) == 0 {
                return drop(members.remove(&key));
            }
            members.get_mut(&key)
        }
        _ => None,
    };
    match below {
        Some(below) if chance.below(4) > 0 => spoil(below, chance),
        _ => *value = something(chance),
    }
}

fn something(chance: &mut Xorshift) -> Value {
    let numbers = [-1, 0, 1, 2, 3, 4, 5, 13, 19, 20, 21, 255, i64::from(i32::MAX), i64::from(u32::MAX), i64::MIN];
    let words = ["KH", "7H", "AS0", "QC", "", "♥", "DOUBLING", "OVER", "TRICKS", "LAYOUT", "TRIX", "LTOOSH", "QUEENS"];
    match chance.below(8) {
        0 => Value::Null,
        1 => json!(chance.below(2) == 0),
        2..=4 => json!(numbers[chance.below(numbers.len())]),
        5 => json!([]),
        6 => json!({}),
        _ => json!(words[chance.below(words.len())]),
    }
}

#[test]
fn a_spoiled_line_is_an_error_or_is_judged() {
    let (lines, mut chance) = (lines(), Xorshift::new(20));
    let (mut errors, mut judged) = (0, 0);
    for _ in 0..40 {
        for line in &lines {
            let mut line = line.clone();
            line["legal"] = true.into();
            (0..=chance.below(3)).for_each(|_| spoil(&mut line["position"], &mut chance));
            if chance.below(3) == 0 {
                spoil(&mut line["steps"], &mut chance);
            }
            let (answer, failed) = judge_line(&line.to_string());
            let answer: Value = serde_json::from_str(&answer).unwrap();
            assert_eq!(answer["error"].is_string(), failed);
            errors += u32::from(failed);
            judged += u32::from(!failed);
            // What was printed can be read again, and stands; but for a table of either Tonj left as its last action left it.
            if !failed && (answer["outcome"].is_null() || answer["position"]["game"] == "trix") {
                let (again, failed) = judge_line(&json!({"position": answer["position"]}).to_string());
                let again: Value = serde_json::from_str(&again).unwrap();
                assert!(!failed, "{again} of {answer} of {line}");
                assert_eq!(again["position"], answer["position"], "{line}");
            }
        }
    }
    assert!(errors > 1000 && judged > 1000, "{errors} errors, {judged} judged");
}
