-- Work units of a day. One row of a meter (a day, a pool and a subject; an empty subject is the whole pool) and a holder; what is taken of a meter is the sum
-- of its rows. Outside row-level security: it holds numbers only, of everybody, among them of those who have no tenant.

CREATE TABLE quota (
    day        date NOT NULL,
    pool       text COLLATE "C" NOT NULL,
    subject    text COLLATE "C" NOT NULL, -- a tenant's id, or a keyed hash of an address
    holder_id  uuid NOT NULL,
    sequence   bigint NOT NULL,           -- of the holder's last word; earlier ones that come late change nothing
    used       bigint NOT NULL,
    kept       bigint NOT NULL,           -- held until kept_until, then free again
    kept_until timestamptz NOT NULL,
    PRIMARY KEY (day, pool, subject, holder_id)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON quota TO candor_writer;
