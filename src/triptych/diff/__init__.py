"""Comparing two videos: findings from measurements."""
