"""What a judge's call of ``bench vidic`` costs in processor time beyond the bare OpenAI client's.

    .venv/bin/python bench/vidic_calls.py [CALLS]

A server on loopback, in a process of its own, answers at once. In turns of a hundred calls the bare
client, 16 at a time, and a whole run of ``bench vidic`` (the task of Inspect: its samples, scorer
and log; reading the set, storing every call, scores, intervals and files) make the same calls, so
that whatever else the machine does meets both.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import anyio
from model_calls import AT_ONCE, LIMIT_MS, serve

CAPTION = "In Video A, a man walks slowly; in Video B, he runs. " * 40
TURN, QUESTIONS = 100, 4


def write_set(folder: Path, calls: int, start: int) -> tuple[Path, Path]:
    """A checklist of so many questions, four a pair, and a caption for each pair."""
    numbers = range(start, start + calls // QUESTIONS)
    question = {"class": "motion", "correct_answer": "yes"}
    rows = [
        {"index": i, "video1_path": f"{i}/a.mp4", "video2_path": f"{i}/b.mp4",
         "structured_analysis": {"Differences": [
             question | {"question": f"Does he run in Video B ({i}, {j})?"}
             for j in range(QUESTIONS)]}}
        for i in numbers
    ]  # fmt: skip
    said = [{k: r[k] for k in ("video1_path", "video2_path")} | {"response": f"{CAPTION}{i}"}
            for i, r in zip(numbers, rows, strict=True)]  # fmt: skip
    checklist, responses = folder / "checklist.json", folder / "captions.json"
    checklist.write_text(json.dumps(rows), "utf-8")
    responses.write_text(json.dumps(said), "utf-8")
    return checklist, responses


async def bare(url: str, prompts: list[str]) -> None:
    import openai

    client = openai.AsyncOpenAI(api_key="none", base_url=url, max_retries=0)
    slots = anyio.Semaphore(AT_ONCE)

    async def one(prompt: str) -> None:
        async with slots:
            await client.chat.completions.create(
                model="judge", messages=[{"role": "user", "content": prompt}]
            )

    async with anyio.create_task_group() as group:
        for prompt in prompts:
            group.start_soon(one, prompt)
    await client.close()


def measure(url: str, calls: int, home: Path) -> tuple[float, float]:
    """Processor milliseconds a call: the bare client's, and those of whole runs."""
    from triptych.bench.vidic.captions import read_responses
    from triptych.bench.vidic.load import read_checklist
    from triptych.bench.vidic.protocol import read_protocol
    from triptych.bench.vidic.run_judged import Judging, bench_judged

    spent = {"bare": 0.0, "ours": 0.0}
    protocol = read_protocol()
    for turn, start in enumerate(range(-TURN, calls, TURN)):
        folder = home / str(turn)
        folder.mkdir()
        checklist, responses = write_set(folder, TURN, start)
        captions = read_responses(responses, read_checklist(checklist))[0]
        prompts = [protocol.one(c.text, q.text) for c, p in
                   zip(captions, read_checklist(checklist).pairs, strict=True)
                   for q in p.questions]  # fmt: skip
        before = time.process_time()
        anyio.run(bare, url, prompts)
        between = time.process_time()
        found = bench_judged(
            checklist, Judging(f"vllm/judge@{url}"), responses=responses, out=folder / "run"
        )
        after = time.process_time()
        assert found.scores.n == TURN, found.scores
        assert found.scores.failed == 0, found.failed[0]
        if start >= 0:  # the first turn loads what is loaded late
            spent["bare"] += between - before
            spent["ours"] += after - between
    return 1000 * spent["bare"] / calls, 1000 * spent["ours"] / calls


def main() -> int:
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    command = [sys.executable, __file__, "serve"]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert server.stdin is not None and server.stdout is not None
    try:
        url = server.stdout.readline().strip()
        with tempfile.TemporaryDirectory() as home:
            each, ours = measure(url, calls, Path(home))
    finally:
        server.stdin.close()
        server.wait()
    print(f"{calls} calls: bare client {each:.2f} ms, bench vidic {ours:.2f} ms of processor time")
    print(f"beyond the bare client: {ours - each:.2f} ms each (limit {LIMIT_MS:g})")
    return 0 if ours - each <= LIMIT_MS else 1


if __name__ == "__main__":
    if sys.argv[1:] == ["serve"]:
        serve()
    else:
        sys.exit(main())
