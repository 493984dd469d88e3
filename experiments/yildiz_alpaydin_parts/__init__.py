"""The parts of experiments/yildiz_alpaydin.py: a module for each table, and what they share."""
