"""Scripts that tests do not run: some need an older Miter."""

collect_ignore_glob = ["write_*.py"]
