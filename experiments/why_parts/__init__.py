"""The parts of experiments/why.py: a module for each section, and what they share."""
