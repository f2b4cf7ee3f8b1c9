"""Turns text into vectors. Holds no database."""
