"""The laboratory: estimate, compare, and trust the difference."""

from miter.lab.bootstrap import BootstrapEstimate, bootstrap_error
from miter.lab.cost_curves import CostCurve, RocCurve, cost_curve, roc
from miter.lab.curves import LearningCurve, SizeCurve, learning_curve, size_curve
from miter.lab.evaluation import Evaluation, evaluate
from miter.lab.many_sets import (
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
from miter.lab.resampling import (
    Bootstrap,
    Folds,
    Holdout,
    LeaveOneOut,
    Resampling,
    parse_resampling,
)
from miter.lab.selection import Selection, SelectionStep, select_features
from miter.lab.significance import (
    Verdict,
    corrected_resampled_t_test,
    five_by_two_f_test,
    five_by_two_t_test,
    k_fold_t_test,
    mcnemar_test,
)

__all__ = [
    "Bootstrap",
    "BootstrapEstimate",
    "CostCurve",
    "Evaluation",
    "Folds",
    "Holdout",
    "LearningCurve",
    "LeaveOneOut",
    "Resampling",
    "RocCurve",
    "Selection",
    "SelectionStep",
    "SizeCurve",
    "Verdict",
    "WinTieLoss",
    "bootstrap_error",
    "corrected_resampled_t_test",
    "cost_curve",
    "count_wins",
    "evaluate",
    "five_by_two_f_test",
    "five_by_two_t_test",
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
    "roc",
    "select_features",
    "size_curve",
    "wilcoxon_p_values",
]
