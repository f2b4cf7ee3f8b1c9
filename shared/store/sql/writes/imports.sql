-- Uploads: how far each one is.

-- name: begin
-- Begin an upload, unless it was begun before.
INSERT INTO memory_import (tenant_id, import_id, mode, actor, lines, written, existing, failed, errors, started_at, updated_at)
VALUES ($1, $2, $3, $4, 0, 0, 0, 0, '[]', $5, $5)
ON CONFLICT (tenant_id, import_id) DO NOTHING;

-- name: find
-- Read how far an upload is.
SELECT mode, lines, written, existing, failed, errors, started_at, updated_at, is_whole FROM memory_import WHERE tenant_id = $1 AND import_id = $2;

-- name: advance
-- Note that an upload has gone on from the given line; no row if it was not there.
UPDATE memory_import SET
    lines = $4, written = written + $5, existing = existing + $6, failed = failed + $7, errors = $8::text::json, updated_at = $9
WHERE tenant_id = $1 AND import_id = $2 AND lines = $3
RETURNING true;
