"""Benchmarks: sets with a truth, runs over them, scores and their intervals."""
