"""Pure functions on strings: no file, clock, network or random source is reached from here."""
