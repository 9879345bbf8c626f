"""Triptych."""
