-- Matches, their logs, who sits in them, and results that wait for a consumer.
-- Released files are never edited: what changes comes in the next number, and only ever adds.

CREATE TABLE meta (
    only_row      INTEGER NOT NULL PRIMARY KEY CHECK (only_row = 1),
    min_program   INTEGER NOT NULL, -- the lowest schema number that a program must know to work on this file
    write_version INTEGER NOT NULL  -- the version in which records are written, raised only when every reader knows it
) STRICT;

INSERT INTO meta (only_row, min_program, write_version) VALUES (1, 1, 1);

-- The head of each log, and how a match is found by others than its id.
CREATE TABLE matches (
    match_id    TEXT    NOT NULL PRIMARY KEY,
    record      INTEGER NOT NULL, -- of the last record
    sequence    INTEGER NOT NULL,
    status      INTEGER NOT NULL,
    deadline_ms INTEGER,          -- when the running clock runs out
    founded_ms  INTEGER NOT NULL,
    game        TEXT    NOT NULL,
    external_id TEXT,             -- the creating service's own id
    body_hash   BLOB    NOT NULL  -- SHA-256 of the creating request
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX matches_external ON matches (external_id) WHERE external_id IS NOT NULL;
CREATE INDEX matches_deadline ON matches (deadline_ms) WHERE deadline_ms IS NOT NULL;

-- The truth. Without rowid, so that one match's records lie side by side and a cold load reads few pages.
CREATE TABLE log (
    match_id   TEXT    NOT NULL,
    record     INTEGER NOT NULL,
    sequence   INTEGER NOT NULL, -- public sequence after it
    instant_ms INTEGER NOT NULL,
    append_id  BLOB    NOT NULL,
    player_id  TEXT,             -- with request_id and body_hash: the request that it answers, if any
    request_id TEXT,
    body_hash  BLOB,
    payload    BLOB    NOT NULL,
    PRIMARY KEY (match_id, record)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX log_request ON log (match_id, player_id, request_id) WHERE request_id IS NOT NULL;

CREATE TABLE seats (
    match_id   TEXT    NOT NULL,
    seat       INTEGER NOT NULL,
    player_id  TEXT    NOT NULL,
    founded_ms INTEGER NOT NULL, -- the match's
    over       INTEGER NOT NULL, -- 1 once the match is over
    PRIMARY KEY (match_id, seat)
) STRICT, WITHOUT ROWID;

-- Only matches that are not over, so that a player of thousands pays for those he plays now.
CREATE INDEX seats_playing ON seats (player_id, founded_ms, match_id) WHERE over = 0;

-- Results for consumers, written by the transaction that brings them. They have no position yet: one publisher numbers
-- the committed ones afterwards, so a cursor over positions never skips a transaction that committed late.
CREATE TABLE outbox (
    match_id   TEXT    NOT NULL,
    record     INTEGER NOT NULL,
    ordinal    INTEGER NOT NULL, -- among those of the same record
    kind       TEXT    NOT NULL,
    instant_ms INTEGER NOT NULL,
    position   INTEGER,          -- given by the publisher
    PRIMARY KEY (match_id, record, ordinal)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX outbox_position ON outbox (position) WHERE position IS NOT NULL;
CREATE INDEX outbox_waiting ON outbox (instant_ms) WHERE position IS NULL;
