"""Reports of a comparison: terminal, HTML page, side-by-side video, markers, index."""
