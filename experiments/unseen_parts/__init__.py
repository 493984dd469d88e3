"""The parts of experiments/unseen.py: its tables."""
