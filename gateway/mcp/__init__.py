"""Memory as tools for agents, over the Model Context Protocol."""
