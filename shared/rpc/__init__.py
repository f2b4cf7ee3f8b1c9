"""The envelope around every RPC: bootstrap, errors, clients, wire forms."""
