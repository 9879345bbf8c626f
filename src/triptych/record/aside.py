"""Long work in native code, such that Ctrl-C does not have to wait for it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

_left = threading.Event()


def aside(work: Callable[[threading.Event], T]) -> T:
    """What ``work`` returns or raises, done in a thread of its own while this one waits.

    A signal is only looked at between two steps of Python, and a network, a model's loader or the
    algebra of a large matrix may take ten seconds for one. When the waiting is interrupted the
    event that ``work`` was given is set and the thread is left to itself: ``work`` should look at
    the event now and then, and must not hold what has to be put away. Whoever ends the program
    asks :func:`left_behind`.
    """
    left = threading.Event()
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work(left))
        except BaseException as e:
            errors.append(e)

    thread = threading.Thread(target=run, daemon=True)
    try:
        # Starting waits as well, for the thread to say that it runs.
        thread.start()
        thread.join()
    except BaseException:
        left.set()
        _left.set()
        raise
    if errors:
        raise errors[0]
    return results[0]


def left_behind() -> bool:
    """Whether a thread may still run that nobody waits for.

    Then the program has to end by ``os._exit``: the interpreter stops such threads wherever they
    are as it closes down, which native code answers with a crash.
    """
    return _left.is_set()
