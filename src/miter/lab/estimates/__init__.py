"""What a learner does on rows it has not seen."""
