"""What a business document says, read by rules from its words and their places, or from its cells."""
