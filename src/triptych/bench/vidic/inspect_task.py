"""``inspect eval triptych/vidic``: the model that Inspect is given is the one under test."""

from __future__ import annotations

from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.model import get_model

from triptych import models
from triptych.bench.vidic.captions import read_responses
from triptych.bench.vidic.load import read_checklist, sample
from triptych.bench.vidic.model_caption import captioner
from triptych.bench.vidic.model_judge import ModelJudge
from triptych.bench.vidic.protocol import read_protocol
from triptych.bench.vidic.shown import from_preset
from triptych.bench.vidic.task import Captioner, build, given
from triptych.models.served import of_inspect


@task
def vidic(
    data: str, judge: str, responses: str | None = None, protocol: str | None = None,
    preset: str = "default", limit: int | None = None, seed: int = 0, per_call: int = 1,
    cache: str = "vidic-run",
) -> Task:  # fmt: skip
    """ViDiC on the set ``data``, judged by ``judge``; finished calls and frames go to ``cache``.

    With ``responses`` these captions are judged and no model is asked for any.
    """
    checklist = sample(read_checklist(data), seed, limit)
    prompts, home = read_protocol(protocol), Path(cache)
    judging = models.endpoint(judge, "judge", calls=home / "calls")
    notes = [prompts.told]
    captions: Captioner
    if responses is not None:
        read, _, told = read_responses(responses, checklist)
        captions, notes = given(checklist.pairs, read), notes + told
    else:
        how = from_preset(preset)
        end = models.endpoint(of_inspect(get_model()), "policy", calls=home / "calls")
        folder = Path(checklist.path).parent
        captions = captioner(end, prompts, home / "frames", folder, how)
        notes.append(how.told)
    return build(checklist, captions, ModelJudge(judging, prompts, per_call=per_call), notes)
