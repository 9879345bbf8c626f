"""What a call costs in processor time beyond the bare OpenAI client's making the same call.

    .venv/bin/python bench/model_calls.py [CALLS]

A server on loopback, in a process of its own, answers at once. Both make the same calls, 16 at a
time, in turns of a hundred, so that whatever else the machine does meets both. The harness stores
every call, which the bare client does not.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio

ROOT = Path(__file__).resolve().parents[1]
LIMIT_MS = 5.0
TURN, AT_ONCE = 100, 16
CAPTION = "In Video A, a man walks slowly; in Video B, he runs. " * 40


def serve() -> None:
    sys.path.insert(0, str(ROOT / "tests"))
    from models.chat_server import ChatServer

    with ChatServer(lambda request, n: '{"answer": "yes", "explanation": "it is said"}') as server:
        print(server.url, flush=True)
        sys.stdin.read()


async def measure(url: str, calls: int, folder: str) -> tuple[float, float]:
    """Processor milliseconds a call: the bare client's, and ours."""
    import openai

    from triptych import models

    client = openai.AsyncOpenAI(api_key="none", base_url=url, max_retries=0)
    judge = models.endpoint(
        f"vllm/judge@{url}", "judge", calls=folder, connections=AT_ONCE, budget=models.Budget(1.0)
    )

    async def bare(n: int) -> None:
        await client.chat.completions.create(
            model="judge",
            messages=[{"role": "user", "content": f"{CAPTION}\nQuestion {n}?"}],
            temperature=0.0,
            max_tokens=200,
        )

    async def ours(n: int) -> None:
        settings = models.Settings(temperature=0.0, max_tokens=200)
        reply = await judge.generate([models.user(f"{CAPTION}\nQuestion {n}?")], settings)
        assert reply.ok, reply.error

    spent = {bare: 0.0, ours: 0.0}
    for work in spent:
        await _all(work, range(-20, 0))  # opens the connections, loads what is loaded late
    for start in range(0, calls, TURN):
        for work in spent:
            before = time.process_time()
            await _all(work, range(start, min(start + TURN, calls)))
            spent[work] += time.process_time() - before
    await judge.close()
    await client.close()
    return 1000 * spent[bare] / calls, 1000 * spent[ours] / calls


async def _all(work: Callable[[int], Awaitable[None]], numbers: range) -> None:
    slots = anyio.Semaphore(AT_ONCE)

    async def one(n: int) -> None:
        async with slots:
            await work(n)

    async with anyio.create_task_group() as group:
        for n in numbers:
            group.start_soon(one, n)


def main() -> int:
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    server = subprocess.Popen(
        [sys.executable, __file__, "serve"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdin is not None and server.stdout is not None
    try:
        url = server.stdout.readline().strip()
        with tempfile.TemporaryDirectory() as folder:
            bare, ours = anyio.run(measure, url, calls, folder)
    finally:
        server.stdin.close()
        server.wait()
    print(
        f"{calls} calls: bare client {bare:.2f} ms, triptych {ours:.2f} ms of processor time each"
    )
    print(f"beyond the bare client: {ours - bare:.2f} ms (limit {LIMIT_MS:g})")
    return 0 if ours - bare <= LIMIT_MS else 1


if __name__ == "__main__":
    if sys.argv[1:] == ["serve"]:
        serve()
    else:
        sys.exit(main())
