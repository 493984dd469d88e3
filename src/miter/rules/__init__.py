"""From trees to rules, and to less."""

from miter.rules.classifier import RuleListClassifier
from miter.rules.from_tree import rules_of
from miter.rules.inequalities import MachineRules, expand_machines, machine_rules
from miter.rules.merge import merge_rules
from miter.rules.post_pruning import post_prune
from miter.rules.rule import Rule, RuleSet, counted
from miter.rules.simplification import Simplification, simplify

__all__ = [
    "MachineRules",
    "Rule",
    "RuleListClassifier",
    "RuleSet",
    "Simplification",
    "counted",
    "expand_machines",
    "machine_rules",
    "merge_rules",
    "post_prune",
    "rules_of",
    "simplify",
]
