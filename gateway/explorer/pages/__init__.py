"""The pages, a file for each: `routes(envelope)` says what it serves."""
