"""Measuring what videos show and how they relate. No models, no network."""
