"""libavfilter at work on single pictures and on sound, through PyAV; no program is started.

The chains are built from our own constants and numbers only: no name or text of a user ever
becomes part of one.
"""

from __future__ import annotations

from fractions import Fraction

import av
import av.filter
import numpy as np

from triptych.make.clip import U8, Frames, Mapped, Sound

#: To RGB and back with the matrix that all clips here have; libavfilter would assume BT.601.
TO_RGB = "scale=in_color_matrix=bt709:in_range=tv:flags=accurate_rnd+full_chroma_int,format=gbrp"
FROM_RGB = (
    "scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd+full_chroma_int,format=yuv420p"
)


class PictureChain:
    """A chain of filters that gives one picture for each; ``chain`` is libavfilter's notation."""

    def __init__(self, chain: str, width: int, height: int, pix_fmt: str = "yuv420p") -> None:
        self._graph = av.filter.Graph()
        self._graph.threads = 1
        last = self._graph.add_buffer(
            width=width,
            height=height,
            format=av.VideoFormat(pix_fmt, width, height),
            time_base=Fraction(1, 1000),
        )
        for step in [*chain.split(","), "format=yuv420p"]:
            name, _, arguments = step.partition("=")
            node = self._graph.add(name, arguments)
            last.link_to(node)
            last = node
        last.link_to(self._graph.add("buffersink"))
        self._graph.configure()
        self._count = 0

    def frame(self, frame: av.VideoFrame) -> U8:
        """``frame`` filtered, as an I420 array."""
        frame.pts = self._count
        frame.time_base = Fraction(1, 1000)
        self._count += 1
        self._graph.push(frame)
        out = self._graph.pull()
        assert isinstance(out, av.VideoFrame)  # noqa: S101  (a graph of pictures gives pictures)
        return np.asarray(out.to_ndarray(), np.uint8)

    def __call__(self, index: int, picture: U8) -> U8:
        """``picture`` (I420) filtered; ``index`` is not used."""
        return self.frame(av.VideoFrame.from_ndarray(picture, format="yuv420p"))


def filtered(frames: Frames, chain: str, size: tuple[int, int] | None = None) -> Mapped:
    """Each frame through ``chain``; ``size`` is what the chain gives where it is another."""
    return Mapped(frames, PictureChain(chain, frames.width, frames.height), size)


def filter_sound(sound: Sound, chain: str) -> Sound:
    """``sound`` through ``chain``, a chain of libavfilter's sound filters."""
    layout = "mono" if len(sound.samples) == 1 else "stereo"
    graph = av.filter.Graph()
    graph.threads = 1
    last = graph.add_abuffer(
        sample_rate=sound.rate, format="fltp", layout=layout, time_base=Fraction(1, sound.rate)
    )
    steps = [*chain.split(","), f"aformat=sample_fmts=fltp:sample_rates={sound.rate}"]
    for step in steps:
        name, _, arguments = step.partition("=")
        node = graph.add(name, arguments)
        last.link_to(node)
        last = node
    last.link_to(graph.add("abuffersink"))
    graph.configure()
    parts = []

    def drain() -> None:
        while True:
            try:
                out = graph.pull()
            except (BlockingIOError, EOFError):
                return
            assert isinstance(out, av.AudioFrame)  # noqa: S101
            parts.append(np.array(out.to_ndarray(), np.float32))

    block = sound.rate
    for start in range(0, sound.samples.shape[1], block):
        data = np.ascontiguousarray(sound.samples[:, start : start + block])
        frame = av.AudioFrame.from_ndarray(data, format="fltp", layout=layout)
        frame.sample_rate = sound.rate
        frame.pts = start
        frame.time_base = Fraction(1, sound.rate)
        graph.push(frame)
        drain()
    graph.push(None)
    drain()
    empty = np.zeros((len(sound.samples), 0), np.float32)
    return Sound(np.concatenate([empty, *parts], axis=1), sound.rate)
