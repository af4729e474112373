"""Stages 2 and 3: from a seed to certified items. Tells an observer what happens; commits nothing itself."""
