"""Findings, answers and errors: the records that everything passes through."""
