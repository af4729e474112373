"""forge.toml and the environment, turned into a Profile with its limits, endpoints and prices."""
