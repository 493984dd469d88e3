"""The parts of experiments/costs.py: a module for each section."""
