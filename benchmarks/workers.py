"""How much faster an experiment of 200 fits is with two workers than with one.

    python benchmarks/workers.py

The runs are the same; they are checked to give the same numbers with 1, 2 and 4 workers. One and
two workers take turns, and the medians are compared.
"""

from __future__ import annotations

import argparse
import json
import time
from statistics import median

from sklearn.datasets import make_classification

from miter.data import from_frame
from miter.lab import Experiment, run


def make_experiment() -> Experiment:
    X, y = make_classification(12_000, 20, n_informative=10, flip_y=0.05, random_state=0)
    learners = {
        # One thread each, so that one worker does not use both cores already.
        "univariate": ("univariate", {"n_threads": 1, "thresholds": "exact"}),
        "cart": ("DecisionTreeClassifier", {}),
    }
    return Experiment({"generated": from_frame(X, y)}, learners, "10x10-fold", seed=0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    experiment = make_experiment()
    results, seconds = {}, {1: [], 2: []}
    run(experiment, n_workers=2)  # starts the workers, which then wait for more
    for _ in range(arguments.repeats):
        for n_workers, times in seconds.items():
            begin = time.perf_counter()
            results[n_workers] = run(experiment, n_workers=n_workers)
            times.append(time.perf_counter() - begin)
    results[4] = run(experiment, n_workers=4)
    fits = [row["fit_seconds"] for row in results[1].to_dicts()]
    report = {
        "runs": len(results[1].to_dicts()),
        "fit_ms_median": 1000 * median(fits),
        "one_worker_s": median(seconds[1]),
        "two_workers_s": median(seconds[2]),
        "ratio": median(seconds[1]) / median(seconds[2]),
        "same_numbers": results[1] == results[2] == results[4],
    }
    if arguments.json:
        print(json.dumps(report, indent=2))
    else:
        print(
            "{runs} runs, a fit takes {fit_ms_median:.0f} ms. One worker {one_worker_s:.1f} s, two "
            "{two_workers_s:.1f} s: {ratio:.2f} times as fast. 1, 2 and 4 workers give the same "
            "numbers: {same_numbers}.".format(**report)
        )


if __name__ == "__main__":
    main()
