-- What is written beside appends, each in one call: single names, signs of life, places of results.
-- These wait for each other; servers have a limit on how long.

-- Takes a name for a match unless somebody has it; the row of whoever has it then.
CREATE FUNCTION claim_1(
    its_match text, its_kind text, its_name text, its_hash bytea, its_expiry bigint, now_ms bigint
) RETURNS SETOF names
LANGUAGE plpgsql AS $$
BEGIN
    -- As appends take it.
    PERFORM pg_advisory_xact_lock(hashtextextended(format('name %s %s', its_kind, its_name), 0));
    RETURN QUERY SELECT n.* FROM names n
        WHERE n.kind = its_kind AND n.name = its_name AND (n.expires_ms IS NULL OR n.expires_ms > now_ms);
    IF NOT FOUND THEN
        RETURN QUERY INSERT INTO names AS n (kind, name, match_id, body_hash, expires_ms)
            VALUES (its_kind, its_name, its_match, its_hash, its_expiry)
            ON CONFLICT (kind, name) DO UPDATE
            SET match_id = excluded.match_id, body_hash = excluded.body_hash, expires_ms = excluded.expires_ms
            RETURNING n.*;
    END IF;
END
$$;

-- Keeps a server's sign of life, and the outage that it ends if there is one: a gap in which no server gave any.
CREATE FUNCTION beat_1(
    its_server text, now_ms bigint, longest_ms bigint, outages_kept bigint, names_forgotten bigint
) RETURNS SETOF outages
LANGUAGE plpgsql AS $$
DECLARE
    before_ms bigint;
    first outages;
    second outages;
BEGIN
    -- Whoever holds this row judges; the next one sees what he found.
    SELECT a.at_ms INTO before_ms FROM alive a FOR UPDATE;
    IF now_ms - before_ms > longest_ms THEN
        INSERT INTO outages (since_ms, until_ms) VALUES (before_ms, now_ms);
        -- Of too many the oldest two are counted as one that took as long as both.
        WHILE (SELECT count(*) FROM outages) > outages_kept LOOP
            SELECT * INTO first FROM outages ORDER BY since_ms LIMIT 1;
            SELECT * INTO second FROM outages ORDER BY since_ms OFFSET 1 LIMIT 1;
            DELETE FROM outages WHERE since_ms IN (first.since_ms, second.since_ms);
            INSERT INTO outages (since_ms, until_ms)
                VALUES (second.since_ms - (first.until_ms - first.since_ms), second.until_ms);
        END LOOP;
    END IF;
    UPDATE alive SET at_ms = greatest(before_ms, now_ms);
    INSERT INTO servers AS s (server, at_ms) VALUES (its_server, now_ms)
    ON CONFLICT (server) DO UPDATE SET at_ms = greatest(s.at_ms, excluded.at_ms);
    DELETE FROM servers s WHERE s.at_ms < now_ms - 86400000;
    DELETE FROM names n WHERE (n.kind, n.name) IN (
        SELECT o.kind, o.name FROM names o WHERE o.expires_ms <= now_ms
        ORDER BY o.expires_ms, o.kind, o.name LIMIT names_forgotten FOR UPDATE SKIP LOCKED
    );
    RETURN QUERY SELECT o.* FROM outages o ORDER BY o.since_ms;
END
$$;

-- Gives the next places to results that have none; how many got one.
CREATE FUNCTION publish_1(most bigint) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    last bigint;
    placed bigint;
BEGIN
    SELECT p.position INTO last FROM publisher p FOR UPDATE;
    WITH waiting AS (
        SELECT match_id, record, ordinal, row_number() OVER (ORDER BY instant_ms, match_id, record, ordinal) AS place
        FROM outbox WHERE position IS NULL
        ORDER BY instant_ms, match_id, record, ordinal LIMIT most
    )
    UPDATE outbox o SET position = last + w.place FROM waiting w
    WHERE o.match_id = w.match_id AND o.record = w.record AND o.ordinal = w.ordinal;
    GET DIAGNOSTICS placed = ROW_COUNT;
    IF placed > 0 THEN
        UPDATE publisher SET position = last + placed;
    END IF;
    RETURN placed;
END
$$;
