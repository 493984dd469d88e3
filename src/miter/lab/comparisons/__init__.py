"""Which learner is better, and whether chance made it look so."""
