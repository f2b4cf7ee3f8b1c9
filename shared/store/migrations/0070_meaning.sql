-- Findings of meaning: what an audit could say nothing about stands as it stands.

-- When an audit last met the finding's pair and had no verdict.
ALTER TABLE finding ADD COLUMN unjudged_at timestamptz;
