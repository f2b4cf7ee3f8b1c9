"""Finds where memory disagrees with itself. Holds no database."""
