"""Reads memories: recall, lists, streams. The only role that reads the database for others."""
