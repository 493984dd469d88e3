"""The parts of experiments/every_size.py: the tables, and the rules that learners may break."""
