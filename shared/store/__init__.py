"""The database, and everything that knows SQL. Only ingest writes through it, only retrieve reads through it for others."""
