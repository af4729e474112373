"""The command line: a lazy click group with one thin module per command. This package's own file imports nothing."""
