"""The parts of experiments/cluster.py: rows, a cluster, and what is shown of it."""
