"""Reading tables from files, one file a format."""
