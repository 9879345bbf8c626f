"""ViDiC (arXiv 2512.03405): captions of differences, scored by a checklist of yes and no."""
