"""Frames beside the float array that they stand for: fitting, and predicting many rows.

Run with ``python benchmarks/frames.py``. A table of 54 columns, 44 of them categories, as a frame
of pandas, polars and Arrow, and as the array of its numbers and codes, once with the codes as
symbols, once with all columns as numbers, which nothing need be made of. Times are the best of
several; ratios are to the first.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from time import perf_counter
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


def best_of(call: Callable[[], Any], n_times: int) -> float:
    times = []
    for _ in range(n_times):
        begin = perf_counter()
        call()
        times.append(perf_counter() - begin)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--times", type=int, default=5)
    arguments = parser.parse_args()
    frames, labels = make_frames(arguments.rows)
    symbolic = list(range(N_NUMBERS, N_NUMBERS + N_CATEGORIES))
    first: dict[str, float] = {}
    for name, X in frames.items():
        features = symbolic if name == "array" else "from_dtype"
        model = UnivariateTreeClassifier(categorical_features=features)
        seconds = {
            "fit": best_of(lambda m=model, x=X: m.fit(x, labels), 2),  # type: ignore[misc]
            "predict": best_of(lambda m=model, x=X: m.predict(x), arguments.times),  # type: ignore[misc]
        }
        first = first or seconds
        words = [f"{what} {s:6.3f} s ({s / first[what]:4.2f})" for what, s in seconds.items()]
        print(f"{name:<13}  {'   '.join(words)}", flush=True)


if __name__ == "__main__":
    main()
