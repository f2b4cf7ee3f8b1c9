"""Clients of the public HTTP interface, for a terminal."""
