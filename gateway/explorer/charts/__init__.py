"""Charts: pure functions from figures to inline SVG, drawn on the server."""
