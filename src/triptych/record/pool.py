"""The local process pool: many jobs, each of which may fail or take its process down with it.

The standard library's pools either wait for ever for a process that died or give up all jobs with
it. Here a dead process costs the one job it worked on.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from typing import Any, Generic, TypeVar

from triptych.record.errors import TriptychError
from triptych.record.processors import processors

J = TypeVar("J")
R = TypeVar("R")

#: One thread each: the processes are the parallelism, and sums come out the same on any machine.
_ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"), "1"
)


@dataclass(frozen=True, slots=True)
class Done(Generic[R]):
    """What came of job number ``index``: a result, or one line on why there is none."""

    index: int
    result: R | None
    error: str | None
    seconds: float


@dataclass(slots=True)
class _Worker:
    process: BaseProcess
    pipe: Any
    index: int = -1
    started: float = 0.0


def run_all(
    work: Callable[[J], R], jobs: Sequence[J], workers: int | None = None
) -> Iterator[Done[R]]:
    """Do ``work`` on each job in ``workers`` processes (one a core); results come as they end.

    ``work`` is a module's function, since processes are spawned, not forked: a script that calls
    this keeps its own start behind ``if __name__ == "__main__"``. Leaving the iterator early, by
    Ctrl-C too, ends the processes.
    """
    queue = deque(range(len(jobs)))
    limit = min(workers or processors(), len(jobs))
    idle: list[_Worker] = []
    busy: dict[Any, _Worker] = {}
    try:
        while queue or busy:
            while queue and len(busy) < limit:
                worker = idle.pop() if idle else _start(work)
                worker.index, worker.started = queue.popleft(), time.perf_counter()
                busy[worker.pipe] = worker
                with contextlib.suppress(OSError):  # it died: reading will say so
                    worker.pipe.send(jobs[worker.index])
            for pipe in wait(list(busy)):
                worker = busy.pop(pipe)
                try:
                    result, error = worker.pipe.recv()
                    idle.append(worker)
                except (EOFError, OSError):
                    worker.process.join()
                    result, error = None, _death(worker.process.exitcode)
                yield Done(worker.index, result, error, time.perf_counter() - worker.started)
    finally:
        for worker in (*idle, *busy.values()):
            worker.process.kill()
            worker.process.join()


def _start(work: Callable[[Any], Any]) -> _Worker:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, work), daemon=True)
    before = {name: os.environ.get(name) for name in _ONE_THREAD}
    os.environ.update(_ONE_THREAD)  # the libraries read it when they are loaded
    try:
        process.start()
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
    theirs.close()
    return _Worker(process, ours)


def _serve(pipe: Any, work: Callable[[Any], Any]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all; who started us decides
    with contextlib.suppress(OSError):
        os.dup2(2, 1)  # what a library prints is not the caller's result
    while True:
        try:
            job = pipe.recv()
        except EOFError:
            return
        answer: tuple[Any, str | None]
        try:
            answer = work(job), None
        except TriptychError as e:
            answer = None, str(e)
        except Exception as e:
            first = next(iter(str(e).splitlines()), "")
            answer = None, f"unexpected {type(e).__name__}{': ' if first else ''}{first}"
        pipe.send(answer)


def _death(code: int | None) -> str:
    if code is not None and code < 0:
        with contextlib.suppress(ValueError):
            return f"the process was ended by {signal.Signals(-code).name}"
    return f"the process ended with code {code}"
