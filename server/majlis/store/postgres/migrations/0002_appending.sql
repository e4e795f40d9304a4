-- A batch of appends in one call, hence one round trip and one transaction, whose row locks wait for no client.
-- Functions are numbered: a change is a new one beside the old, which the release before still calls.
-- None of them waits for anybody. What another transaction holds is told as `busy`, to be tried again with a later
-- batch; so a row that is locked for long holds up its own match only, and there can be no deadlock.
-- Each statement in here sees what was committed before it began (read committed).

-- The first of some names that is not to be had at an instant, be it by the same match, unless that gives it up.
CREATE FUNCTION held_1(its_match text, claims jsonb, releases jsonb, now_ms bigint) RETURNS SETOF names
LANGUAGE sql STABLE AS $$
    SELECT n.*
    FROM jsonb_array_elements(claims) WITH ORDINALITY AS wanted (claim, place)
    JOIN names n ON n.kind = wanted.claim ->> 'kind' AND n.name = wanted.claim ->> 'name'
    WHERE (n.expires_ms IS NULL OR n.expires_ms > now_ms)
        AND NOT (n.match_id = its_match AND coalesce(releases ? n.kind, false))
    ORDER BY wanted.place LIMIT 1
$$;

CREATE FUNCTION append_1(
    match_ids text[], records bigint[], sequences bigint[], statuses bigint[], instants bigint[], deadlines bigint[],
    append_ids bytea[], payloads bytea[], request_keys bytea[], body_hashes bytea[],
    extras jsonb[] -- NULL for an append that changes nothing but its log, and is the first of its match in the batch
) RETURNS TABLE (
    ordinal bigint, -- in the batch, from 1; or 0, with the number of ordinary ones that were appended and have no row
    outcome text,   -- appended, repeated, founded, held, lost, busy
    its_record bigint, its_match text, its_kind text, its_name text, its_hash bytea
)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    taken text[];
    one record;
    founding jsonb;
    claims jsonb;
    head matches;
    asked record;
    held names;
    may boolean;
BEGIN
    -- Ordinary appends, all at once. If the log has the request of one already, none of them takes here, and all go the
    -- other way: what is seldom pays for it, and not every row for being asked (ON CONFLICT).
    BEGIN
        WITH locked AS MATERIALIZED (
            SELECT b.*, m.month FROM unnest(
                match_ids, records, sequences, statuses, instants, deadlines, append_ids, payloads, request_keys, body_hashes,
                extras
            ) AS b (
                match_id, record, sequence, status, instant_ms, deadline_ms, append_id, payload, request_key, body_hash, extra
            )
            JOIN matches m ON m.match_id = b.match_id
            WHERE b.extra IS NULL AND m.record = b.record - 1
            FOR NO KEY UPDATE OF m SKIP LOCKED
        ), written AS (
            INSERT INTO log (
                match_id, record, month, sequence, status, deadline_ms, instant_ms, append_id, request_key, body_hash, payload
            )
            SELECT
                match_id, record, month, sequence, status, deadline_ms, instant_ms, append_id, request_key, body_hash, payload
            FROM locked
            RETURNING match_id, record, sequence, status, deadline_ms
        ), moved AS (
            UPDATE matches m SET record = w.record, sequence = w.sequence, status = w.status, deadline_ms = w.deadline_ms
            FROM written w WHERE m.match_id = w.match_id
            RETURNING m.match_id
        )
        SELECT coalesce(array_agg(match_id), '{}') INTO taken FROM moved;
    EXCEPTION WHEN unique_violation THEN
        taken := '{}';
    END;
    ordinal := 0; outcome := 'appended'; its_record := cardinality(taken);
    RETURN NEXT;
    IF cardinality(taken) = cardinality(match_ids) THEN
        RETURN;
    END IF;

    -- The others one by one, in their order.
    FOR one IN
        SELECT * FROM unnest(
            match_ids, records, sequences, statuses, instants, deadlines, append_ids, payloads, request_keys, body_hashes,
            extras
        ) WITH ORDINALITY AS b (
            match_id, record, sequence, status, instant_ms, deadline_ms, append_id, payload, request_key, body_hash,
            extra, place
        )
        WHERE b.extra IS NOT NULL OR b.match_id NOT IN (SELECT unnest(taken)) ORDER BY b.place
    LOOP
        ordinal := one.place;
        its_record := NULL; its_match := NULL; its_kind := NULL; its_name := NULL; its_hash := NULL;
        founding := one.extra -> 'founding';
        claims := coalesce(one.extra -> 'claims', '[]');

        -- What is to be unique is taken first, until the end of the transaction.
        SELECT coalesce(bool_and(pg_try_advisory_xact_lock(hashtextextended(wanted.key, 0))), true) INTO may
        FROM (
            SELECT format('name %s %s', claim ->> 'kind', claim ->> 'name') AS key FROM jsonb_array_elements(claims) AS claim
            UNION ALL SELECT 'match ' || one.match_id WHERE founding IS NOT NULL
            UNION ALL SELECT 'external ' || (founding ->> 'external_id') WHERE founding ->> 'external_id' <> ''
        ) wanted;
        IF may AND founding IS NULL THEN
            SELECT m.* INTO head FROM matches m WHERE m.match_id = one.match_id FOR NO KEY UPDATE SKIP LOCKED;
            may := FOUND OR NOT EXISTS (SELECT FROM matches m WHERE m.match_id = one.match_id);
        ELSE
            head := NULL;
        END IF;
        IF NOT may THEN
            outcome := 'busy';
            RETURN NEXT;
            CONTINUE;
        END IF;

        SELECT h.* INTO held FROM held_1(one.match_id, claims, one.extra -> 'releases', one.instant_ms) h;
        may := NOT FOUND;
        IF may AND founding IS NULL THEN
            may := coalesce(head.record = one.record - 1, false) AND NOT EXISTS (
                SELECT FROM log l
                WHERE l.match_id = one.match_id AND l.request_key = one.request_key AND l.month = head.month
            );
            IF may THEN
                UPDATE matches m
                SET record = one.record, sequence = one.sequence, status = one.status, deadline_ms = one.deadline_ms
                WHERE m.match_id = one.match_id;
            END IF;
        ELSIF may THEN
            INSERT INTO matches
                (match_id, record, sequence, status, deadline_ms, founded_ms, month, game, external_id, body_hash)
            VALUES (
                one.match_id, one.record, one.sequence, one.status, one.deadline_ms, one.instant_ms,
                (founding ->> 'month')::integer, founding ->> 'game', nullif(founding ->> 'external_id', ''),
                decode(founding ->> 'body_hash', 'hex')
            )
            ON CONFLICT DO NOTHING RETURNING * INTO head;
            may := FOUND;
        END IF;

        IF NOT may THEN
            -- Why not, in the order of the contract.
            SELECT m.* INTO head FROM matches m WHERE m.match_id = one.match_id;
            outcome := 'lost';
            IF EXISTS (
                SELECT FROM log l WHERE l.match_id = one.match_id AND l.record = one.record AND l.month = head.month
                    AND l.append_id = one.append_id
            ) THEN
                outcome := 'appended';
                RETURN NEXT;
                CONTINUE;
            END IF;
            SELECT l.record, l.body_hash INTO asked FROM log l
            WHERE l.match_id = one.match_id AND l.request_key = one.request_key AND l.month = head.month;
            IF FOUND THEN
                outcome := 'repeated'; its_record := asked.record; its_hash := asked.body_hash;
                RETURN NEXT;
                CONTINUE;
            END IF;
            SELECT m.match_id, m.body_hash INTO asked FROM matches m WHERE m.external_id = founding ->> 'external_id';
            IF FOUND THEN
                outcome := 'founded'; its_match := asked.match_id; its_hash := asked.body_hash;
            ELSIF held.match_id IS NOT NULL THEN
                outcome := 'held'; its_match := held.match_id; its_kind := held.kind; its_name := held.name;
                its_hash := held.body_hash;
            END IF;
            RETURN NEXT;
            CONTINUE;
        END IF;

        outcome := 'appended';
        INSERT INTO log (
            match_id, record, month, sequence, status, deadline_ms, instant_ms, append_id, request_key, body_hash, payload
        ) VALUES (
            one.match_id, one.record, head.month, one.sequence, one.status, one.deadline_ms, one.instant_ms,
            one.append_id, one.request_key, one.body_hash, one.payload
        );
        IF one.extra ? 'outbox' THEN
            INSERT INTO outbox (match_id, record, ordinal, kind, instant_ms)
            SELECT one.match_id, one.record, told.place - 1, told.kind, one.instant_ms
            FROM jsonb_array_elements_text(one.extra -> 'outbox') WITH ORDINALITY AS told (kind, place);
        END IF;
        IF one.extra ? 'players' THEN
            DELETE FROM seats s WHERE s.match_id = one.match_id;
            INSERT INTO seats (match_id, seat, player_id, founded_ms, over)
            SELECT one.match_id, sits.place - 1, sits.player_id, head.founded_ms, (one.extra -> 'over')::boolean
            FROM jsonb_array_elements_text(one.extra -> 'players') WITH ORDINALITY AS sits (player_id, place)
            WHERE sits.player_id IS NOT NULL;
        ELSIF (one.extra -> 'over')::boolean THEN
            UPDATE seats s SET over = true WHERE s.match_id = one.match_id;
        END IF;
        IF one.extra ? 'releases' THEN
            -- One that has expired may be on its way to another match.
            DELETE FROM names n WHERE (n.kind, n.name) IN (
                SELECT o.kind, o.name FROM names o
                WHERE o.match_id = one.match_id AND one.extra -> 'releases' ? o.kind FOR UPDATE SKIP LOCKED
            );
        END IF;
        INSERT INTO names (kind, name, match_id, body_hash, expires_ms)
        SELECT
            claim ->> 'kind', claim ->> 'name', one.match_id, decode(claim ->> 'body_hash', 'hex'),
            (claim ->> 'expires_ms')::bigint
        FROM jsonb_array_elements(claims) AS claim
        ON CONFLICT (kind, name) DO UPDATE
        SET match_id = excluded.match_id, body_hash = excluded.body_hash, expires_ms = excluded.expires_ms;
        RETURN NEXT;
    END LOOP;
END
$$;
