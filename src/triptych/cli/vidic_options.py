"""Options that every command of ViDiC's takes which asks models, and what they come to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from triptych.record.errors import MissingExtraError

if TYPE_CHECKING:
    from triptych.bench.vidic.result import Result
    from triptych.bench.vidic.run_judged import Judging
    from triptych.bench.vidic.shown import Shown

Preset = Annotated[
    str, typer.Option(metavar="NAME", help="What the model is shown: one of Table 5's rows.")
]
Frames = Annotated[int | None, typer.Option(metavar="N", min=1, help="Frames of each video.")]
Fps = Annotated[float | None, typer.Option(metavar="R", help="Or frames a second.")]
Size = Annotated[
    str | None, typer.Option(metavar="N|WxH", help="Longest side of a frame, or its size.")
]
WholeVideo = Annotated[
    bool, typer.Option("--whole-video", help="Send the files, to models that take them.")
]
Assisted = Annotated[
    bool, typer.Option("--assisted", help="Give the model what diff measures; labelled so.")
]
Temperature = Annotated[
    float | None, typer.Option(metavar="T", min=0, help="For the model's sampling, as is:")
]
TopP = Annotated[float | None, typer.Option(metavar="P", min=0, max=1, help="nucleus sampling,")]
RepetitionPenalty = Annotated[
    float | None, typer.Option(metavar="R", min=0, help="against repetition,")
]
MaxTokens = Annotated[
    int | None, typer.Option(metavar="N", min=1, help="longest caption in tokens,")
]
Thinking = Annotated[
    bool | None, typer.Option("--thinking/--no-thinking", help="with or without thinking.")
]
Protocol = Annotated[
    str | None, typer.Option(metavar="DIR", help="Take the prompts of this official checkout.")
]
PerCall = Annotated[
    int, typer.Option(metavar="N", min=1, help="Questions a judge call; above 1 is checked.")
]
Budget = Annotated[
    float | None, typer.Option(metavar="USD", help="Dollars that calls may cost at most.")
]
Prices = Annotated[
    str | None, typer.Option(metavar="FILE", help="Prices of models, else those that ship.")
]
Videos = Annotated[
    str | None, typer.Option(metavar="DIR", help="Where the videos are, else beside the checklist.")
]
Limit = Annotated[
    int | None,
    typer.Option("--limit", "-n", metavar="N", min=1, help="This many pairs, by chance."),
]
Seed = Annotated[
    int, typer.Option(metavar="N", min=0, help="What chance starts from: sample, intervals.")
]
Skip = Annotated[
    list[str] | None, typer.Option(metavar="NAME,...", help="As for diff; where it measures.")
]
Workers = Annotated[
    int | None, typer.Option(metavar="N", min=1, help="Processes; else one for each core.")
]
Json = Annotated[
    str | None, typer.Option(metavar="F|-", help="Write the scores as JSON; - prints them, alone.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no hints.")]


@dataclass(frozen=True, slots=True)
class Asked:
    """How model and judge are asked, as given."""

    judge: str
    preset: str = "default"
    frames: int | None = None
    fps: float | None = None
    size: str | None = None
    reverse: bool = False
    whole_video: bool = False
    assisted: bool = False
    temperature: float | None = None
    top_p: float | None = None
    repetition_penalty: float | None = None
    max_tokens: int | None = None
    thinking: bool | None = None
    protocol: str | None = None
    per_call: int = 1
    budget: float | None = None
    prices: str | None = None

    def judging(self) -> Judging:
        """How the judge is asked; raises :class:`MissingExtraError` without the extra."""
        from triptych import models

        try:
            from triptych.bench.vidic.run_judged import Judging
        except ModuleNotFoundError as e:
            if (e.name or "").partition(".")[0] != "inspect_ai":
                raise
            raise MissingExtraError("a model as the judge", "models") from e
        limit = models.Budget(self.budget) if self.budget is not None else None
        prices = models.Prices(self.prices)
        return Judging(self.judge, self.protocol, self.per_call, budget=limit, prices=prices)

    def shown(self) -> Shown:
        """What the model under test is shown, and how it is sampled."""
        from triptych.bench.vidic.shown import from_preset
        from triptych.cli.asked import read_size
        from triptych.models import Settings

        settings = Settings(
            temperature=self.temperature, top_p=self.top_p, max_tokens=self.max_tokens,
            repetition_penalty=self.repetition_penalty, thinking=self.thinking,
        )  # fmt: skip
        return from_preset(
            self.preset, frames=self.frames, fps=self.fps,
            size=read_size(self.size) if self.size is not None else None, reverse=self.reverse,
            whole=self.whole_video, assisted=self.assisted, settings=settings,
        )  # fmt: skip


def run_vidic(data: str, asked: Asked, *, videos: str | None = None, **how: Any) -> Result:
    """The run that ``asked`` describes, judged by a model or by facts; ``how`` is passed on."""
    if asked.judge == "facts":
        from triptych.bench.vidic.run import bench_local

        return bench_local(data, reverse=asked.reverse, videos=videos, **how)
    judging = asked.judging()
    from triptych.bench.vidic.run_judged import bench_judged

    return bench_judged(data, judging, how=asked.shown(), videos=videos, **how)
