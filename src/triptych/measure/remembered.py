"""What costly looks at a picture found, kept for when the same picture comes again.

One video is often held against several: a master against its encodes, a clip against its edits. In
one process its pictures are then the same to the byte each time, and so is what is found in them.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

import numpy as np

from triptych.media.frame import U8

T = TypeVar("T")


class Remembered(Generic[T]):
    """The last ``most`` results; may be used by several threads.

    The key is a hash of the picture's bytes and of whatever else the result depends on, so that
    no picture is held. Two threads that ask for the same at once both work it out.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[bytes, T] = OrderedDict()
        self._lock = Lock()

    def get(self, picture: U8, settings: tuple[object, ...], find: Callable[[], T]) -> T:
        """What ``find`` returns for ``picture`` and ``settings``, now or when it last did."""
        digest = hashlib.blake2b(repr((picture.shape, settings)).encode(), digest_size=16)
        digest.update(np.ascontiguousarray(picture).data)
        key = digest.digest()
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        found = find()
        with self._lock:
            self._kept[key] = found
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return found

    def clear(self) -> None:
        """Forget all."""
        with self._lock:
            self._kept.clear()
