"""What the laboratory measures: one long table, a row a run."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from os import PathLike
from typing import Any

from miter.errors import did_you_mean
from miter.lab.experiments.frames import make_frame, write_parquet

__all__ = ["MEASURED", "Results", "Run"]

#: What differs from one time to the next, even where everything else is the same.
MEASURED = frozenset({"fit_seconds", "predict_seconds", "peak_megabytes"})


@dataclass(frozen=True)
class Run:
    """One learner, trained and tested on one division of one set.

    Parameters
    ----------
    set : str
        Name of the set.
    data_hash : str
        SHA-256 of its columns, cells and labels.
    learner : str
        Name of the learner in the experiment.
    learner_class : str
        Its class.
    parameters : dict
        Those that are not at their defaults.
    seed : int
        The learner's `random_state`, where it has one that was not given.
    repeat, fold : int
        Which division of the rows, counting from 0.
    n_train, n_test : int
        Rows.
    n_wrong : int, optional
        Test rows predicted wrongly; None, like all that follows, where the run failed.
    accuracy : float, optional
        Share of test rows predicted rightly.
    balanced_accuracy, f1, roc_auc, log_loss, brier : float, optional
        See `miter.lab.Evaluation`; the last three None where the learner gives no probabilities.
    cost : float, optional
        Mean cost of a test row, where costs are given.
    nodes, leaves, depth : int, optional
        Size of the tree, or of all trees together; None for learners that are no trees.
    variables : float, optional
        Columns that a decision node tests, in the mean.
    terms : int, optional
        What a person must read, of all trees together; see `miter.terms`.
    path_terms : float, optional
        What of it is on the path of a test row, in the mean.
    fit_seconds, predict_seconds : float, optional
        Elapsed time, with any encoding that the learner needs.
    peak_megabytes : float, optional
        The most resident memory that the process had during the run, interpreter and libraries
        included; None where the system cannot tell it for one run.
    n_warnings : int, optional
        Warnings given during the run; None where several runs shared a process.
    first_warning : str, optional
        The first of them.
    error : str, optional
        Why the run failed.
    miter_version, sklearn_version, numpy_version, python_version : str
        What it was run with.

    Examples
    --------
    >>> from miter.lab import Run
    >>> run = Run("iris", "5e", "c45", "UnivariateTreeClassifier", {}, 7, repeat=0, fold=1,
    ...           n_train=75, n_test=75, n_wrong=3, accuracy=0.96)
    >>> run.key
    ('iris', 'c45', 0, 1)
    """

    set: str
    data_hash: str
    learner: str
    learner_class: str
    parameters: Mapping[str, Any]
    seed: int
    repeat: int
    fold: int
    n_train: int
    n_test: int
    n_wrong: int | None = None
    accuracy: float | None = None
    balanced_accuracy: float | None = None
    f1: float | None = None
    roc_auc: float | None = None
    log_loss: float | None = None
    brier: float | None = None
    cost: float | None = None
    nodes: int | None = None
    leaves: int | None = None
    depth: int | None = None
    variables: float | None = None
    terms: int | None = None
    path_terms: float | None = None
    fit_seconds: float | None = None
    predict_seconds: float | None = None
    peak_megabytes: float | None = None
    n_warnings: int | None = None
    first_warning: str | None = None
    error: str | None = None
    miter_version: str = ""
    sklearn_version: str = ""
    numpy_version: str = ""
    python_version: str = ""

    @property
    def key(self) -> tuple[str, str, int, int]:
        """What tells it from the other runs of an experiment: set, learner, repeat, fold."""
        return self.set, self.learner, self.repeat, self.fold

    def is_same(self, other: Run) -> bool:
        """Whether everything but times and memory agrees."""
        return all(
            getattr(self, field.name) == getattr(other, field.name)
            for field in fields(self)
            if field.name not in MEASURED
        )


class Results:
    """The runs of an experiment, in the order of its sets, learners and divisions.

    Two results are equal if all but times and memory agree.

    Parameters
    ----------
    experiment : mapping
        What `Experiment.describe` returns.
    runs : iterable of Run
        In any order.

    Attributes
    ----------
    sets, learners : tuple of str
        Their names.
    resampling : str
        How rows were divided.

    Examples
    --------
    >>> from miter.data import monks
    >>> from miter.lab import Experiment, run
    >>> results = run(Experiment({"monks-1": monks(1)}, ["univariate", "id3"], "5x2"))
    >>> len(results), results.learners
    (20, ('univariate', 'id3'))
    >>> results.to_dicts()[0]["n_test"]
    216
    """

    def __init__(self, experiment: Mapping[str, Any], runs: Iterable[Run]) -> None:
        self.experiment = dict(experiment)
        self.sets = tuple(item["name"] for item in experiment["sets"])
        self.learners = tuple(item["name"] for item in experiment["learners"])
        self.resampling: str = experiment["resampling"]
        self.runs = tuple(sorted(runs, key=self._place))

    def _place(self, run: Run) -> tuple[int, int, int, int]:
        return self.sets.index(run.set), self.learners.index(run.learner), run.repeat, run.fold

    def __len__(self) -> int:
        return len(self.runs)

    def __iter__(self) -> Iterator[Run]:
        return iter(self.runs)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Results):
            return NotImplemented
        return (
            self.experiment == other.experiment
            and len(self) == len(other)
            and all(own.is_same(its) for own, its in zip(self, other, strict=True))
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return (
            f"<Results: {len(self)} runs, {len(self.sets)} sets, {len(self.learners)} learners, "
            f"{self.resampling}, {len(self.failed())} failed>"
        )

    @property
    def has_costs(self) -> bool:
        """Whether errors have costs on some set."""
        return any("costs" in item for item in self.experiment["sets"])

    def of(self, set_name: str, learner: str) -> tuple[Run, ...]:
        """Return the runs of one learner on one set."""
        for name, known in ((set_name, self.sets), (learner, self.learners)):
            if name not in known:
                raise ValueError(
                    f"there is no {name!r} in these results; {did_you_mean(name, known)}"
                )
        return tuple(run for run in self if (run.set, run.learner) == (set_name, learner))

    def failed(self) -> tuple[Run, ...]:
        """Return the runs that failed; their `error` says why."""
        return tuple(run for run in self if run.error is not None)

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return a dictionary for each run, ready for JSON."""
        return [asdict(run) for run in self]

    def to_frame(self, backend: str = "pandas") -> Any:
        """Return the long table as a data frame; parameters are JSON text in it.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}
            Which kind; it must be installed.
        """
        return make_frame(self._columns(), backend)

    def to_csv(self, path: str | PathLike[str]) -> None:
        """Write the long table as CSV; what is not known is left empty."""
        columns = self._columns()
        with open(path, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(columns)
            writer.writerows(zip(*(values for _, values in columns.values()), strict=True))

    def to_parquet(self, path: str | PathLike[str]) -> None:
        """Write the long table as Parquet; needs pyarrow."""
        write_parquet(self._columns(), path)

    def _columns(self) -> dict[str, tuple[str, list[Any]]]:
        """Return the kind and the values of every column."""
        columns = {}
        for field in fields(Run):
            values = [getattr(run, field.name) for run in self]
            kind = str(field.type).removesuffix(" | None")
            if field.name == "parameters":
                kind, values = "str", [json.dumps(v, sort_keys=True) for v in values]
            columns[field.name] = kind, values
        return columns
