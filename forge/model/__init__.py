"""The nouns: frozen types, enums, content ids and the error tree. No I/O, no clock, no randomness."""
