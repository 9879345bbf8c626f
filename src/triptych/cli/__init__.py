"""The command line: one file a verb. Parses, calls, prints; no logic."""
