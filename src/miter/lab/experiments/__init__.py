"""Learners on sets, one long table of runs: on disk, whatever ends the program."""
