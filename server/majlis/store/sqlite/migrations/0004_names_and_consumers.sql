-- Names by which matches are found and kept apart, and how far each consumer of results has come.

CREATE TABLE names (
    kind       TEXT NOT NULL, -- kinds are apart: one may have the same names as another
    name       TEXT NOT NULL,
    match_id   TEXT NOT NULL, -- that has it
    body_hash  BLOB NOT NULL, -- of what was asked under it; empty where nothing is compared
    expires_ms INTEGER,       -- from when on nobody has it, though the row may still be there
    PRIMARY KEY (kind, name)
) STRICT, WITHOUT ROWID;

CREATE INDEX names_match ON names (match_id, kind);
CREATE INDEX names_expiring ON names (expires_ms) WHERE expires_ms IS NOT NULL;

CREATE TABLE consumers (
    consumer TEXT    NOT NULL PRIMARY KEY,
    position INTEGER NOT NULL -- up to which it has every result of the outbox
) STRICT, WITHOUT ROWID;
