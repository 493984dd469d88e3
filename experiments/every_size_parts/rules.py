"""What no learner may do when rows are added: lose accuracy, take less time, or take far more."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

#: Times what it took before, when the rows are twice as many.
MOST_GROWTH = 2.2
#: What is lost beyond this many standard errors of the difference is not noise.
NOISE = 2.0
#: Of test rows, beside the noise of the seeds.
LEAST_LOSS = 0.002
#: Part of its time that a clock on a busy machine may be off, and seconds that do not count.
CLOCK, LEAST_SECONDS = 0.1, 0.02


@dataclass(frozen=True)
class Figures:
    """What a learner did at one size, a number for each seed."""

    n_rows: int
    accuracy: Sequence[float]
    seconds: Sequence[float]


def broken_rules(learner: str, table: str, sizes: Sequence[Figures]) -> list[str]:
    """Say in a sentence each what a learner breaks; each size is held against all smaller ones."""
    said = []
    for place, now in enumerate(sizes):
        loss, before = max(
            ((_loss(earlier, now), earlier) for earlier in sizes[:place]),
            key=lambda found: found[0],
            default=(0.0, now),
        )
        if loss > 0:
            had, has = (100 * np.mean(own.accuracy) for own in (before, now))
            said.append(
                f"{learner} on {table} has {had:.1f} % with {before.n_rows:,} rows and "
                f"{has:.1f} % with {now.n_rows:,}"
            )
    for before, now in pairwise(sizes):
        earlier, later = (float(np.median(own.seconds)) for own in (before, now))
        most = MOST_GROWTH ** max(1.0, math.log2(now.n_rows / before.n_rows)) * (1 + CLOCK)
        grows = later > most * max(earlier, LEAST_SECONDS)
        falls = later < (1 - CLOCK) * earlier - LEAST_SECONDS
        if grows or falls:
            said.append(
                f"{learner} on {table} takes {earlier:.2f} s with {before.n_rows:,} rows and "
                f"{later:.2f} s with {now.n_rows:,}"
            )
    return said


def _loss(before: Figures, now: Figures) -> float:
    """Return what was lost beyond the noise; below 0: nothing."""
    pairs = min(len(before.accuracy), len(now.accuracy))
    lost = np.subtract(before.accuracy[:pairs], now.accuracy[:pairs])
    spread = lost.std(ddof=1) / math.sqrt(pairs) if pairs > 1 else 0.01
    return float(lost.mean() - LEAST_LOSS - NOISE * spread)
