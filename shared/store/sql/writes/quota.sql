-- Work units of a day: how holders of a meter stand.

-- name: serialise
-- Let no two holders be granted units of a meter at once.
SELECT pg_advisory_xact_lock(hashtextextended('quota ' || $1::date || ' ' || $2::text || ' ' || $3::text, 0));

-- name: taken
-- Add up what is used or held of a meter, but for one holder, and tell that holder's last word.
SELECT
    coalesce(sum(used + CASE WHEN kept_until > $5 THEN kept ELSE 0 END) FILTER (WHERE holder_id <> $4), 0)::bigint AS elsewhere,
    coalesce(sum(kept) FILTER (WHERE holder_id <> $4 AND kept_until > $5), 0)::bigint AS held_elsewhere,
    coalesce(max(sequence) FILTER (WHERE holder_id = $4), -1) AS sequence,
    coalesce(max(used + kept) FILTER (WHERE holder_id = $4), 0)::bigint AS own
FROM quota WHERE day = $1 AND pool = $2 AND subject = $3;

-- name: stand
-- Keep how a holder of a meter stands, unless a later word of it is known.
INSERT INTO quota (day, pool, subject, holder_id, sequence, used, kept, kept_until) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (day, pool, subject, holder_id) DO UPDATE SET
    sequence = excluded.sequence, used = excluded.used, kept = excluded.kept, kept_until = excluded.kept_until
WHERE quota.sequence < excluded.sequence;

-- name: settle
-- Keep how holders of several meters stand, in the order of their keys, so that two calls never wait for each other in a ring.
INSERT INTO quota (day, pool, subject, holder_id, sequence, used, kept, kept_until)
SELECT n.day, n.pool, n.subject, n.holder_id, n.sequence, n.used, n.kept, $8
FROM unnest($1::date[], $2::text[], $3::text[], $4::uuid[], $5::bigint[], $6::bigint[], $7::bigint[])
    AS n (day, pool, subject, holder_id, sequence, used, kept)
ORDER BY 1, 2, 3, 4
ON CONFLICT (day, pool, subject, holder_id) DO UPDATE SET
    sequence = excluded.sequence, used = excluded.used, kept = excluded.kept, kept_until = excluded.kept_until
WHERE quota.sequence < excluded.sequence;

-- name: levels
-- Tell how several meters stand for one holder of each, in the order given.
SELECT
    coalesce(sum(q.used + CASE WHEN q.kept_until > $5 THEN q.kept ELSE 0 END), 0)::bigint AS taken,
    coalesce(sum(q.kept) FILTER (WHERE q.holder_id <> n.holder_id AND q.kept_until > $5), 0)::bigint AS held_elsewhere
FROM unnest($1::date[], $2::text[], $3::text[], $4::uuid[]) WITH ORDINALITY AS n (day, pool, subject, holder_id, position)
LEFT JOIN quota AS q ON q.day = n.day AND q.pool = n.pool AND q.subject = n.subject
GROUP BY n.position ORDER BY n.position;

-- name: forget
-- Delete the days before one.
DELETE FROM quota WHERE day < $1;
