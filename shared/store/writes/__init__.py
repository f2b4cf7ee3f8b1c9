"""Statements that write, one file per noun. Only ingest imports them."""
