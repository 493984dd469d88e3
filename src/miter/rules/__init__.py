"""From trees to rules, and to less."""

from miter.rules.classifier import RuleListClassifier
from miter.rules.from_tree import rules_of
from miter.rules.merge import merge_rules
from miter.rules.post_pruning import post_prune
from miter.rules.rule import Rule, RuleSet, counted

__all__ = [
    "Rule",
    "RuleListClassifier",
    "RuleSet",
    "counted",
    "merge_rules",
    "post_prune",
    "rules_of",
]
