"""The parts of experiments/lmdt.py: a module for each section, and what they share."""
