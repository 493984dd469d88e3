"""What tests do not run: it needs an older Miter."""

collect_ignore = ["write_version_1.py"]
