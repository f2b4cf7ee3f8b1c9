"""How fast Candor remembers and recalls, part by part: `make bench-speed`."""
