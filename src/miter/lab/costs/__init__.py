"""What errors cost, and which are made while one gets dearer."""
