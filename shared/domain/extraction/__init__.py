"""Facts out of what a user said, by rules alone. Start at reader.py (`extract`) and importance.py (`weigh`)."""
