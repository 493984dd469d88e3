"""From the cells of one column to what learners get: the same rules for files and frames."""
