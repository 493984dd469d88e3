"""Parts of the experiment with readable trees."""
