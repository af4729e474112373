"""The DuckDB file of runs, candidates and items: the only room with SQL. Import `forge.registry.store`."""
