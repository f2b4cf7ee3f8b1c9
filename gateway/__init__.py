"""Public HTTP in, gRPC out. Stateless; it knows the contracts and nothing of the services behind them."""
