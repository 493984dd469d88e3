"""The faces of the engine: scikit-learn estimators, one file a family."""
