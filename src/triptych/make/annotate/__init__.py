"""``make checklist``: the first stage of ViDiC's annotation (arXiv 2512.03405, 3.1.2, G.1, G.2).

::

    frames of both videos
      -> draft      several models compare the videos, category by category        (G.1)
      -> claims     what breaks a rule of drafts, or a measurement, is dropped
      -> merge      another model makes one dual checklist of what is left         (G.2)
      -> rules      each question held against each rule, by code
      -> together   duplicates, contradictions, more similarities than differences
      -> checklist.json, and dropped.jsonl with the reason for everything else

The paper checks nothing by code, and holds nothing against measurements: people do that there, in
its second stage, which nothing here takes the place of.
"""
