//! The perft tables in `seeds/perft`, as deep as a test may take; `make perft` counts them whole.
#![allow(clippy::unwrap_used)]

use majlis_rules::perft::read_table;

/// Nodes that a test counts of one line at most.
const MOST: u64 = 120_000;

#[test]
fn perft_counts_are_as_pinned() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../seeds/perft");
    let mut counted = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        for entry in read_table(&std::fs::read_to_string(&path).unwrap()).unwrap() {
            for count in entry.counts.iter().filter(|count| count.nodes <= MOST) {
                assert_eq!(entry.count(count.width, count.depth).unwrap(), count.nodes, "{} {count:?}", entry.id);
                counted += 1;
            }
        }
    }
    assert!(counted > 100);
}

#[test]
fn a_table_says_where_it_is_wrong() {
    for text in ["legal 1 1", "id a\nlegal 1", "id a\nlegal 1 x", "id a\nlegal 1 2 3", "id a\nposition {", "name a"] {
        assert!(read_table(text).is_err(), "{text}");
    }
    assert_eq!(read_table("# nothing\n\n").unwrap().len(), 0);
}
