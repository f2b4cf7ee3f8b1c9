"""What every role shares: the domain, the RPC envelope, the store, the generated contracts."""
