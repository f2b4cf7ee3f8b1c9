"""How well Candor finds what answers a question, measured through the product: `make bench-recall`."""
