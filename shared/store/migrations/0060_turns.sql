-- Facts that are read from turns: what protects them from fading, and how what was forgotten is found again when it is told anew.

ALTER TABLE memory ADD COLUMN protection text COLLATE "C" NOT NULL DEFAULT 'none'
    CHECK (protection IN ('none', 'safety', 'explicit', 'commitment'));
ALTER TABLE memory_revision ADD COLUMN protection text COLLATE "C" NOT NULL DEFAULT 'none';

-- A renewed mention revives what faded.
CREATE INDEX memory_forgotten ON memory (tenant_id, content_hash) WHERE state = 'forgotten';
-- What a merged memory is spoken for by.
CREATE INDEX memory_merged ON memory (tenant_id, superseded_by) WHERE state = 'merged';

-- When what a memory says was told last: a fact from before does not end it, whenever it comes.
ALTER TABLE memory_use ADD COLUMN mentioned_at timestamptz;
