"""The database, and all that knows SQL. Only ingest writes through it, only retrieve reads through it for others."""
