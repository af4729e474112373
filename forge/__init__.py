"""Grows hand-written seeds into tested, paired, frozen benchmark items. Importing this loads nothing."""
