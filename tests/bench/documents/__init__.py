"""Sample documents of our own, and what reading them and counting their money comes to."""
