"""Pure functions and frozen dataclasses: all of Candor's mathematics and policy, without I/O, clock or randomness."""
