-- Matches, their logs, who sits in them, names, results for consumers, and signs of life.
-- Released files are never edited: what changes comes in the next number, and only ever adds. Ids and names are compared
-- by their bytes (COLLATE "C"), as in the other stores. What writes is in the next file.

CREATE TABLE majlis (
    only_row      integer NOT NULL PRIMARY KEY CHECK (only_row = 1),
    version       integer NOT NULL, -- number of the last of these files that was applied
    min_program   integer NOT NULL, -- the lowest schema number that a program must know to work on this database
    write_version integer NOT NULL  -- the version in which records are written, raised only when every reader knows it
);

INSERT INTO majlis (only_row, version, min_program, write_version) VALUES (1, 0, 1, 1);

-- The head of each log, and how a match is found by others than its id. Each append changes a row. So that it touches no
-- index by that (a heap-only update, whose dead versions go with the next one on the page), room is left in the pages,
-- and deadlines are indexed by slots of 16 seconds: most moves stay in theirs.
CREATE TABLE matches (
    match_id    text COLLATE "C" NOT NULL PRIMARY KEY,
    record      bigint  NOT NULL, -- of the last record
    sequence    bigint  NOT NULL,
    status      bigint  NOT NULL,
    deadline_ms bigint,           -- when the running clock runs out
    slot        bigint  GENERATED ALWAYS AS (deadline_ms >> 14) STORED,
    founded_ms  bigint  NOT NULL,
    month       integer NOT NULL, -- of the founding, such as 202611: where its log is
    game        text    NOT NULL,
    external_id text COLLATE "C", -- the creating service's own id
    body_hash   bytea   NOT NULL  -- SHA-256 of the creating request
) WITH (
    fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02,
    autovacuum_vacuum_cost_delay = 0
);

CREATE UNIQUE INDEX matches_external ON matches (external_id) WHERE external_id IS NOT NULL;
CREATE INDEX matches_deadline ON matches (slot) WHERE slot IS NOT NULL;

-- The truth; a match's row above says again what its last record says. One partition for the matches that were founded in a month: rows are added to small indexes only, those of
-- this month, which stay in memory; and old months are dropped whole. What belongs to no month that has its own (a clock
-- that is years off) goes into the last one, so that nothing is ever refused for want of a partition.
CREATE TABLE log (
    match_id    text COLLATE "C" NOT NULL,
    record      bigint  NOT NULL,
    month       integer NOT NULL, -- the match's
    sequence    bigint  NOT NULL, -- public sequence after it
    status      bigint  NOT NULL, -- and what else the head has after it
    deadline_ms bigint,
    instant_ms  bigint  NOT NULL,
    append_id   bytea   NOT NULL,
    request_key bytea,            -- with body_hash: the request that it answers, if any
    body_hash   bytea,
    payload     bytea   NOT NULL,
    PRIMARY KEY (match_id, record, month)
) PARTITION BY LIST (month);

CREATE UNIQUE INDEX log_request ON log (match_id, request_key, month) WHERE request_key IS NOT NULL;

CREATE TABLE log_other PARTITION OF log DEFAULT;

CREATE TABLE seats (
    match_id   text COLLATE "C" NOT NULL,
    seat       bigint  NOT NULL,
    player_id  text COLLATE "C" NOT NULL,
    founded_ms bigint  NOT NULL, -- the match's
    over       boolean NOT NULL, -- the match is over
    PRIMARY KEY (match_id, seat)
);

-- Only matches that are not over, so that a player of thousands pays for those he plays now.
CREATE INDEX seats_playing ON seats (player_id, founded_ms, match_id) WHERE NOT over;

CREATE TABLE names (
    kind       text COLLATE "C" NOT NULL, -- kinds are apart: one may have the same names as another
    name       text COLLATE "C" NOT NULL,
    match_id   text COLLATE "C" NOT NULL, -- that has it
    body_hash  bytea NOT NULL,            -- of what was asked under it; empty where nothing is compared
    expires_ms bigint,                    -- from when on nobody has it, though the row may still be there
    PRIMARY KEY (kind, name)
);

CREATE INDEX names_match ON names (match_id, kind);
CREATE INDEX names_expiring ON names (expires_ms, kind, name) WHERE expires_ms IS NOT NULL;

-- Results for consumers, written by the transaction that brings them. They have no position yet: one publisher at a time
-- numbers the committed ones afterwards, so a cursor over positions never skips a transaction that committed late.
CREATE TABLE outbox (
    match_id   text COLLATE "C" NOT NULL,
    record     bigint  NOT NULL,
    ordinal    integer NOT NULL, -- among those of the same record
    kind       text    NOT NULL,
    instant_ms bigint  NOT NULL,
    position   bigint,           -- given by the publisher
    PRIMARY KEY (match_id, record, ordinal)
);

CREATE UNIQUE INDEX outbox_position ON outbox (position) WHERE position IS NOT NULL;
CREATE INDEX outbox_waiting ON outbox (instant_ms, match_id, record, ordinal) WHERE position IS NULL;

-- Whoever holds this row is the publisher.
CREATE TABLE publisher (
    only_row integer NOT NULL PRIMARY KEY CHECK (only_row = 1),
    position bigint  NOT NULL -- the last that was given
);

INSERT INTO publisher (only_row, position) VALUES (1, 0);

CREATE TABLE consumers (
    consumer text COLLATE "C" NOT NULL PRIMARY KEY,
    position bigint NOT NULL -- up to which it has every result of the outbox
);

-- When any server last said that it lives, and the gaps between two such signs that were too long to be none.
CREATE TABLE alive (
    only_row integer NOT NULL PRIMARY KEY CHECK (only_row = 1),
    at_ms    bigint
);

INSERT INTO alive (only_row, at_ms) VALUES (1, NULL);

CREATE TABLE outages (
    since_ms bigint NOT NULL PRIMARY KEY,
    until_ms bigint NOT NULL
);

-- Each server's own sign of life, for operators. Rows of those that are gone for a day are forgotten.
CREATE TABLE servers (
    server   text COLLATE "C" NOT NULL PRIMARY KEY,
    at_ms    bigint NOT NULL
);
