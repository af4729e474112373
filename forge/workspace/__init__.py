"""The one place that builds paths, and the reader of seed files. Names from files never become paths unchecked."""
