"""The laboratory: estimate, compare, and trust the difference."""

from miter.lab.comparisons.comparison import Comparison, compare
from miter.lab.comparisons.comparison_table import format_comparison
from miter.lab.comparisons.many_sets import (
    WinTieLoss,
    count_wins,
    friedman_test,
    holm_correction,
    iman_davenport_test,
    mean_ranks,
    nemenyi_critical_difference,
    nemenyi_p_values,
    wilcoxon_p_values,
)
from miter.lab.comparisons.measures import MEASURES
from miter.lab.costs.curves import CostCurve, RocCurve, cost_curve, roc
from miter.lab.costs.sweep import CostSweep, SweepPoint, sweep_costs
from miter.lab.estimates.bootstrap import BootstrapEstimate, bootstrap_error
from miter.lab.estimates.curves import LearningCurve, SizeCurve, learning_curve, size_curve
from miter.lab.estimates.evaluation import Evaluation, evaluate
from miter.lab.estimates.importances import PermutationImportances, permutation_importances
from miter.lab.estimates.minimum_cost import MinimumCostClassifier
from miter.lab.estimates.reading_length import terms
from miter.lab.estimates.resampling import (
    Bootstrap,
    Folds,
    Holdout,
    LeaveOneOut,
    Resampling,
    parse_resampling,
)
from miter.lab.estimates.scores import ClassScore, Score
from miter.lab.estimates.selection import Selection, SelectionStep, select_features
from miter.lab.experiments.experiment import Experiment, ExperimentError, LearnerChoice, SetChoice
from miter.lab.experiments.experiment_file import read_experiment
from miter.lab.experiments.results import Results, Run
from miter.lab.experiments.results_file import ResultsFileError, read_results
from miter.lab.experiments.runner import run
from miter.significance import (
    Verdict,
    corrected_resampled_t_test,
    five_by_two_f_test,
    five_by_two_t_test,
    k_fold_t_test,
    mcnemar_test,
)

__all__ = [
    "MEASURES",
    "Bootstrap",
    "BootstrapEstimate",
    "ClassScore",
    "Comparison",
    "CostCurve",
    "CostSweep",
    "Evaluation",
    "Experiment",
    "ExperimentError",
    "Folds",
    "Holdout",
    "LearnerChoice",
    "LearningCurve",
    "LeaveOneOut",
    "MinimumCostClassifier",
    "PermutationImportances",
    "Resampling",
    "Results",
    "ResultsFileError",
    "RocCurve",
    "Run",
    "Score",
    "Selection",
    "SelectionStep",
    "SetChoice",
    "SizeCurve",
    "SweepPoint",
    "Verdict",
    "WinTieLoss",
    "bootstrap_error",
    "compare",
    "corrected_resampled_t_test",
    "cost_curve",
    "count_wins",
    "evaluate",
    "five_by_two_f_test",
    "five_by_two_t_test",
    "format_comparison",
    "friedman_test",
    "holm_correction",
    "iman_davenport_test",
    "k_fold_t_test",
    "learning_curve",
    "mcnemar_test",
    "mean_ranks",
    "nemenyi_critical_difference",
    "nemenyi_p_values",
    "parse_resampling",
    "permutation_importances",
    "read_experiment",
    "read_results",
    "roc",
    "run",
    "select_features",
    "size_curve",
    "sweep_costs",
    "terms",
    "wilcoxon_p_values",
]
