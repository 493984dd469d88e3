"""Parts of experiments/trust.py."""
