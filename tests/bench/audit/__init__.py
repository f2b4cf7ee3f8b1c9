"""Measures the audit: what it finds and leaves alone on labelled sets, and what it costs at size."""
