"""Statements that read, one file per noun."""
