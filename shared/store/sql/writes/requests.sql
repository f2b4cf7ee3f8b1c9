-- Requests by their idempotency key, with the answers they got.

-- name: claim
-- Claim a request; a twin waits here until the first one ends.
INSERT INTO request (tenant_id, rpc, request_id, request_hash, response, recorded_at)
VALUES ($1, $2, $3, $4, '', $5)
ON CONFLICT (tenant_id, rpc, request_id) DO NOTHING
RETURNING true;

-- name: answer
-- Keep the answer of a request that this transaction has claimed.
UPDATE request SET response = $4 WHERE tenant_id = $1 AND rpc = $2 AND request_id = $3;

-- name: find
-- Read what a request was and what it was answered.
SELECT request_hash, response FROM request WHERE tenant_id = $1 AND rpc = $2 AND request_id = $3;
