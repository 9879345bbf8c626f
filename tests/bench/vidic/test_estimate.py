"""What is told before a run against what is then sent, and a budget that 16 calls cannot pass."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai", reason="the extra 'models' is not installed")

from cli.conftest import write_clip
from models.chat_server import Answer, ChatServer
from triptych.bench.vidic.estimate import ASSUMED_CAPTION, estimate
from triptych.bench.vidic.run_judged import Judging, bench_judged
from triptych.bench.vidic.shown import from_preset
from triptych.models import Budget, Patience, Prices, Settings
from triptych.models.counting import BYTES_PER_TOKEN

from .made_lists import entry, item, write
from .on_the_wire import shows_pictures, tokens

PATIENCE = Patience(timeout_s=60.0, retries=1, first_s=0.01, most_s=0.02)
FORMULA = "openai tiles 85 170"
IN, OUT = 2.0, 8.0
#: A caption of about the length that is assumed of one.
CAPTION = "In Video A, a man walks slowly; in Video B, he runs. "


@pytest.fixture
def prices(tmp_path: Path) -> Prices:
    row = f'name = "openai-api/*"\ninput = {IN}\noutput = {OUT}\npictures = "{FORMULA}"\n'
    (tmp_path / "prices.toml").write_text(f"[[model]]\n{row}", "utf-8")
    return Prices(tmp_path / "prices.toml")


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """Three pairs of videos; the third's Video B is none. A fourth asks what the first does."""
    for name in ("p/a", "p/b", "q/a", "q/b", "r/a"):
        write_clip(tmp_path / f"{name}.mp4", seconds=1, mirror=name == "p/b", crf=20)
    asked = [item(question="d?"), item(question="e?")], [item(correct="no", question="s?")]
    return write(tmp_path / "c.json", [entry(n, *asked) for n in ("p", "q", "r", "p")])


def script(request: dict[str, Any], number: int) -> Answer:
    if shows_pictures(request):
        return Answer(
            f"{number}: " + CAPTION * (ASSUMED_CAPTION * BYTES_PER_TOKEN // len(CAPTION) - 3)
        )
    text = request["messages"][-1]["content"]
    if "Questions:" in text:
        return Answer(json.dumps({str(i): {"answer": "no"} for i in (1, 2, 3)}))
    return Answer('{"answer": "no"}')


@pytest.mark.parametrize(
    ("shown", "per_call"),
    [
        ({"frames": 3, "size": 64}, 1),
        ({"fps": 4.0}, 2),
        ({"frames": 4, "size": 96, "assisted": True}, 1),
    ],
)
def test_within_ten_percent_of_what_is_sent(
    made: Path, prices: Prices, tmp_path: Path, shown: dict[str, Any], per_call: int
) -> None:
    with ChatServer(script) as server:
        name = f"openai-api/m@{server.url}"
        judging = Judging(name, per_call=per_call, patience=PATIENCE, prices=prices)
        args: dict[str, Any] = {
            "model": name, "how": from_preset(**shown), "out": tmp_path / "run",
            "skip": ("text", "speech", "people"), "workers": 1,
        }  # fmt: skip
        told = estimate(made, judging, **args)
        assert server.requests == []
        bench_judged(made, judging, **args)
        after = estimate(made, judging, **args)
    captions = [tokens(r, FORMULA) for r in server.requests if shows_pictures(r)]
    judged = [tokens(r, FORMULA) for r in server.requests if not shows_pictures(r)]
    # A pair that the set names twice makes equal calls, and those are made once.
    assert told.parts["captions"][1].calls == len(captions) == 2
    assert told.parts["captions"][1].input == pytest.approx(sum(captions), rel=0.02)
    _, judging_told, _ = told.parts["judging"]
    checking = told.parts["checking"][1] if per_call > 1 else None
    expected = judging_told.input + (checking.input if checking else 0)
    assert judging_told.calls + (checking.calls if checking else 0) == len(judged)
    assert expected == pytest.approx(sum(judged), rel=0.1)
    assert told.assumed == 3
    assert len(told.failed) == 1
    assert "entry 2" in told.failed[0]
    # Afterwards nothing is left to be made.
    assert (after.total.calls, after.total.dollars, after.assumed) == (0, 0, 0)
    assert sum(m for _, _, m in after.parts.values()) == len(server.requests)


def test_known_captions_are_counted_to_the_token(
    made: Path, prices: Prices, tmp_path: Path
) -> None:
    said = [{"video1_path": f"{n}/a.mp4", "video2_path": f"{n}/b.mp4", "response": CAPTION * 9}
            for n in "pqr"]  # fmt: skip
    responses = write(tmp_path / "r.json", said)
    with ChatServer(script) as server:
        judging = Judging(f"openai-api/m@{server.url}", patience=PATIENCE, prices=prices)
        args: dict[str, Any] = {"responses": responses, "out": tmp_path / "run"}
        told = estimate(made, judging, **args)
        bench_judged(made, judging, **args)
    # One caption and three questions for all pairs: three calls.
    assert told.total.calls == len(server.requests) == 3
    assert told.total.input == sum(tokens(r, FORMULA) for r in server.requests)
    assert told.total.dollars == pytest.approx(
        (told.total.input * IN + told.total.output * OUT) / 1e6
    )


def test_a_budget_is_not_passed_by_calls_under_way(prices: Prices, tmp_path: Path) -> None:
    """By the server's own count of what it was asked and what it answered."""
    rows = [entry(f"p{i}", [item(question=f"d{j}?") for j in range(5)], []) for i in range(12)]
    said = [{"video1_path": f"p{i}/a.mp4", "video2_path": f"p{i}/b.mp4",
             "response": f"caption {i}"} for i in range(12)]  # fmt: skip
    spent = 0.0

    def dear(request: dict[str, Any], number: int) -> Answer:
        nonlocal spent
        usage = {"prompt_tokens": tokens(request, FORMULA), "completion_tokens": 100}
        usage["total_tokens"] = sum(usage.values())
        spent += (usage["prompt_tokens"] * IN + usage["completion_tokens"] * OUT) / 1e6
        return Answer('{"answer": "yes"}', usage=usage, wait=1.0)

    limit = 0.066
    with ChatServer(dear) as server:
        judging = Judging(
            f"openai-api/j@{server.url}", settings=Settings(max_tokens=120), patience=PATIENCE,
            budget=Budget(limit), prices=prices,
        )  # fmt: skip
        found = bench_judged(
            write(tmp_path / "c.json", rows), judging,
            responses=write(tmp_path / "r.json", said), out=tmp_path / "run",
        )  # fmt: skip
    assert server.most_at_once == 16
    assert 0.8 * limit < spent <= limit
    assert 0 < found.scores.failed < 60
    assert found.scores.cost == pytest.approx(spent)
    assert all("the budget has" in (j.failed or "") for j in found.failed)


def triptych(*args: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "triptych", *map(str, args)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


def test_as_people_see_it(made: Path, tmp_path: Path) -> None:
    args = ["bench", "vidic", made, "--model", "scripted/reader", "--judge", "scripted/blind",
            "--frames", "2", "--size", "32", "--out", tmp_path / "run", "--dry-run"]  # fmt: skip
    told = triptych(*args)
    assert told.returncode == 0, told.stderr
    assert "captions (scripted/reader): 2 calls, 8 pictures" in told.stdout
    assert "judging (scripted/blind): 6 calls" in told.stdout
    assert "assumed: 1000 tokens of caption" in told.stdout
    data = json.loads(triptych(*args, "--json", "-").stdout)
    assert (data["schema"], data["total"]["calls"]) == ("triptych.estimate/1", 8)
    assert not (tmp_path / "run" / "calls").exists()
    assert triptych("bench", "vidic", made, "--model", "measured", "--judge", "facts",
                    "--dry-run").returncode == 2  # fmt: skip
