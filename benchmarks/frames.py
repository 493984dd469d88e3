"""Frames beside the float array that they stand for: fitting, and predicting many rows.

Run with ``python benchmarks/frames.py``. A table of 54 columns, 44 of them categories, as a frame
of pandas, polars and Arrow, and as the array of its numbers and codes, once with the codes as
symbols, once with all columns as numbers, which nothing need be made of. Times are seconds of all
cores together, the best of several; ratios are to the first.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

from miter import UnivariateTreeClassifier

N_NUMBERS, N_CATEGORIES, N_VALUES = 10, 44, 6


def make_frames(n_rows: int) -> tuple[dict[str, Any], np.ndarray]:
    random = np.random.default_rng(0)
    columns: dict[str, Any] = {f"n{i}": random.normal(size=n_rows) for i in range(N_NUMBERS)}
    codes = random.integers(0, N_VALUES, (n_rows, N_CATEGORIES))
    words = [f"value {i}" for i in range(N_VALUES)]
    for i in range(N_CATEGORIES):
        columns[f"c{i}"] = pd.Categorical.from_codes(codes[:, i], words)
    frame = pd.DataFrame(columns)
    matrix = np.column_stack([*(columns[f"n{i}"] for i in range(N_NUMBERS)), codes]).astype(float)
    labels = (frame["n0"] + codes[:, 0] + random.normal(size=n_rows) > 2.5).to_numpy().astype(int)
    arrays = {"array": matrix, "numeric array": matrix}
    frames = {"pandas": frame, "polars": pl.from_pandas(frame)}
    return arrays | frames | {"arrow": pa.Table.from_pandas(frame)}, labels


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--times", type=int, default=5)
    arguments = parser.parse_args()
    frames, labels = make_frames(arguments.rows)
    symbolic = list(range(N_NUMBERS, N_NUMBERS + N_CATEGORIES))
    models = {
        name: UnivariateTreeClassifier(
            categorical_features=symbolic if name == "array" else "from_dtype"
        )
        for name in frames
    }
    fitting = take_turns(lambda name: models[name].fit(frames[name], labels), list(frames), 2)
    predicting = take_turns(
        lambda name: models[name].predict(frames[name]), list(frames), arguments.times
    )
    for name in frames:
        words = []
        for what, seconds in (("fit", fitting), ("predict", predicting)):
            ratio = seconds[name] / seconds["array"]
            words.append(f"{what} {seconds[name]:6.3f} s ({ratio:4.2f})")
        print(f"{name:<13}  {'   '.join(words)}")


def take_turns(call: Callable[[str], Any], names: list[str], n_times: int) -> dict[str, float]:
    """Return the fewest seconds that each takes; in turns, so that all meet the same machine."""
    best = dict.fromkeys(names, float("inf"))
    for _ in range(n_times):
        for name in names:
            begin = process_time()
            call(name)
            best[name] = min(best[name], process_time() - begin)
    return best


if __name__ == "__main__":
    main()
