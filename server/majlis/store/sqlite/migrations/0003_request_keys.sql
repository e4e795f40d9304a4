-- Requests by a key that tells nothing: player_id and a plain body_hash beside a sealed record told who had answered
-- what. Key and hash are made by the core now, keyed with the match's sealed seed.
-- player_id and request_id are not written any more, and go in a later release. Older rows keep theirs and get no key, so
-- a repeat of an action from before this file is not recognised: accepted, since it comes before 0.1.0.

ALTER TABLE log ADD COLUMN request_key BLOB; -- with body_hash: the request that it answers, if any

CREATE UNIQUE INDEX log_request_key ON log (match_id, request_key) WHERE request_key IS NOT NULL;
