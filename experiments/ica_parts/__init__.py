"""The sections of experiments/ica.py."""
