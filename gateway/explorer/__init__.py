"""The Explorer: pages on which people look at a memory. A public client of the gateway like any other."""
