-- When the server last said that it lives, and the gaps between two such signs that were too long to be none.

CREATE TABLE alive (
    only_row INTEGER NOT NULL PRIMARY KEY CHECK (only_row = 1),
    at_ms    INTEGER NOT NULL
) STRICT;

CREATE TABLE outages (
    since_ms INTEGER NOT NULL PRIMARY KEY,
    until_ms INTEGER NOT NULL
) STRICT;
