"""Video pairs with known differences: each edit, its truth, and the questions about it."""
