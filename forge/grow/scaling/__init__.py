"""Stage 1: new seeds from old ones, in micro-batches, behind deduplication filters (SaliTrap 3.3.1, E.1)."""
