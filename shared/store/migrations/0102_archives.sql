-- Imports of archives: one that has come to its end is done, and sent again it only tells so.
ALTER TABLE memory_import ADD COLUMN is_whole boolean NOT NULL DEFAULT false;
