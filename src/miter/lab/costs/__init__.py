"""What errors cost, at every price."""
