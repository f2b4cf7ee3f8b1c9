"""Writes memories. The only role that writes the database."""
