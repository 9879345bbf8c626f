"""Reading constants from a graph: messages written by hand, and what is no graph."""

from __future__ import annotations

import contextlib
import io
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.measure.people_weights import constants


def part(number: int, value: bytes) -> bytes:
    assert len(value) < 128
    return bytes([number << 3 | 2, len(value)]) + value


def node(name: bytes, op: bytes, shape: list[int], values: list[float]) -> bytes:
    """A node with one constant, as graph.proto, node_def.proto and tensor.proto have it."""
    dims = b"".join(part(2, bytes([1 << 3, d])) for d in shape)
    content = struct.pack(f"<{len(values)}f", *values)
    tensor = bytes([1 << 3, 1]) + part(2, dims) + part(4, content)
    entry = part(1, b"value") + part(2, part(8, tensor))
    return part(1, part(1, name) + part(2, op) + part(5, entry))


def test_reads_the_constants_that_are_wanted() -> None:
    graph = node(b"a/w", b"Const", [2, 1], [1.5, -2.0]) + node(b"b/w", b"Const", [1], [3.0])
    graph += node(b"a/x", b"Identity", [1], [4.0])
    found = constants(io.BytesIO(graph), ("a/",))
    assert list(found) == ["a/w"]
    np.testing.assert_array_equal(found["a/w"], [[1.5], [-2.0]])
    half = constants(io.BytesIO(graph), ("a/",), lambda name, x: x[:1])
    np.testing.assert_array_equal(half["a/w"], [[1.5]])


@pytest.mark.parametrize(
    "bad",
    [
        b"\x0a\xff",
        b"\x0b",
        b"\x0a\x02\x0a\x05",
        b"\xff" * 20,
        b"\x0a\x02\x08\x01x",
        b"\x0a" + b"\xff" * 9 + b"\x01",
    ],
)
def test_what_is_no_graph_is_an_error(bad: bytes) -> None:
    with pytest.raises(ValueError):
        constants(io.BytesIO(bad), ("",))


@given(st.binary(max_size=200))
def test_nothing_but_value_errors(data: bytes) -> None:
    with contextlib.suppress(ValueError):
        constants(io.BytesIO(data), ("",))
