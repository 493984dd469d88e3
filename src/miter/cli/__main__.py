"""``python -m miter.cli`` is ``miter``."""

from miter.cli.door import main

main()
