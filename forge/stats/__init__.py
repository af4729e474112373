"""Pure functions on counts and arrays: exact intervals, agreement. No I/O, no randomness of its own."""
