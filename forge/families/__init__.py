"""Kinds of trap: the protocol, and one package per family. No I/O."""
