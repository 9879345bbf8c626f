"""Jobs in processes: results, failures, and processes that die."""

from __future__ import annotations

import os
import signal

import pytest

from triptych.record.errors import UsageError
from triptych.record.pool import run_all


def work(job: str) -> str:
    if job == "usage":
        raise UsageError("x.mp4: no good")
    if job == "fault":
        raise ValueError("line one\nline two")
    if job == "exit":
        os._exit(3)
    if job == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if job == "chatty":
        print("not a result")
    return f"{job} {os.getpid()} {os.environ['OMP_NUM_THREADS']}"


def test_each_job_has_its_outcome(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    jobs = ["a", "usage", "exit", "fault", "kill", "chatty"]
    done = {jobs[d.index]: d for d in run_all(work, jobs, 1)}
    assert list(done) == jobs
    assert {k: d.error for k, d in done.items()} == {
        "a": None,
        "usage": "x.mp4: no good",
        "exit": "the process ended with code 3",
        "fault": "unexpected ValueError: line one",
        "kill": "the process was ended by SIGKILL",
        "chatty": None,
    }
    name, pid, threads = str(done["a"].result).split()
    assert (name, threads) == ("a", "1")
    assert int(pid) != os.getpid()
    assert "OMP_NUM_THREADS" not in os.environ
    assert capfd.readouterr().out == ""


def test_leaving_early_ends_the_processes() -> None:
    running = run_all(work, ["a", "b", "c"], 1)
    pid = int(str(next(running).result).split()[1])
    running.close()  # type: ignore[attr-defined]
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_no_jobs() -> None:
    assert list(run_all(work, [])) == []
