"""Feeds damaged files to readers and prints what came of it; fails if a promise was broken."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from trust_parts.fuzz import CORPUS, feed
from trust_parts.readers import READERS


def main() -> None:
    """Feed the readers that the command line names, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("readers", nargs="*", help=", ".join(READERS))
    parser.add_argument("--inputs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    n_findings = 0
    print(f"{'reader':14} {'inputs':>8} {'read':>8} {'slowest, s':>11} {'findings':>9}")
    for reader in given.readers or READERS:
        keep = CORPUS.parents[2] / "build" / "fuzz" / reader
        fed = feed(reader, given.inputs, given.seed, keep)
        n_findings += len(fed.findings)
        counts = f"{fed.inputs:8,} {fed.read:8,} {fed.slowest:11.2f} {len(fed.findings):9,}"
        print(f"{reader:14} {counts}", *sorted(set(fed.findings)), sep="\n  ", flush=True)
    sys.exit(n_findings > 0)


if __name__ == "__main__":
    main()
