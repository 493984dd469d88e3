"""The one loop that grows every tree, when it stops, and what is chosen by cross-validation."""
