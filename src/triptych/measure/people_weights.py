"""Constants of a frozen TensorFlow graph, read without TensorFlow.

A graph is a protocol buffer (``tensorflow/core/framework``: ``graph.proto``, ``node_def.proto``,
``attr_value.proto``, ``tensor.proto``): fields of a number, a kind and a value, nested. Only what
leads to the tensors of ``Const`` nodes is looked at.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

F32 = npt.NDArray[np.float32]

#: Field numbers: GraphDef.node; NodeDef.name, .op, .attr; the key and value of a map's entry;
#: AttrValue.tensor; TensorProto.dtype, .tensor_shape, .tensor_content, .float_val;
#: TensorShapeProto.dim; Dim.size.
_NODE = 1
_NAME, _OP, _ATTR = 1, 2, 5
_KEY, _VALUE = 1, 2
_TENSOR = 8
_DTYPE, _SHAPE, _CONTENT, _FLOATS = 1, 2, 4, 5
_DIM, _SIZE = 2, 1
#: The kind of a field that holds a message, and bytes that hold a field's number, kind and size.
_MESSAGE, _HEAD = 2, 20
#: Protocol buffers hold less than 2 GiB.
_LARGEST = 2**31 - 1
#: DataType.DT_FLOAT.
_FLOAT32 = 1


def constants(
    graph: BinaryIO, under: tuple[str, ...], keep: Callable[[str, F32], F32] = lambda name, x: x
) -> dict[str, F32]:
    """The float32 constants of a serialised GraphDef by name.

    Only those whose names begin with one of ``under``, and of each what ``keep`` leaves of it: no
    more than one whole constant is in memory at a time. Raises :class:`ValueError` where ``graph``
    is no such thing.
    """
    out: dict[str, F32] = {}
    for node in _nodes(graph):
        name, constant, tensor = "", False, None
        for number, value in _fields(node):
            if number == _NAME:  # written first: most nodes need not be looked at any further
                name = bytes(_bytes(value)).decode()
                if not name.startswith(under):
                    break
            elif number == _OP:
                constant = bytes(_bytes(value)) == b"Const"
            elif number == _ATTR:
                entry = dict(_fields(_bytes(value)))
                if bytes(_bytes(entry.get(_KEY, memoryview(b"")))) == b"value":
                    tensor = dict(_fields(_bytes(entry.get(_VALUE, memoryview(b""))))).get(_TENSOR)
        array = _array(_bytes(tensor)) if constant and tensor is not None else None
        if array is not None:
            # A copy: what is left must not hold the whole node.
            out[name] = np.array(keep(name, array))
    return out


def _nodes(graph: BinaryIO) -> Iterator[memoryview]:
    while head := graph.read(_HEAD):
        key, at = _varint(memoryview(head), 0)
        if key & 7 != _MESSAGE:
            raise ValueError("a graph holds messages only")
        size, at = _varint(memoryview(head), at)
        graph.seek(at - len(head), os.SEEK_CUR)
        body = graph.read(min(size, _LARGEST))
        if len(body) != size:
            raise ValueError("a node reaches beyond the end")
        if key >> 3 == _NODE:
            yield memoryview(body)


def _array(tensor: memoryview) -> F32 | None:
    shape: list[int] = []
    content: memoryview | None = None
    for number, value in _fields(tensor):
        if number == _DTYPE and value != _FLOAT32:
            return None
        if number == _SHAPE:
            dims = [dict(_fields(_bytes(d))) for f, d in _fields(_bytes(value)) if f == _DIM]
            shape = [_int(d.get(_SIZE, 0)) for d in dims]
        elif number in (_CONTENT, _FLOATS) and isinstance(value, memoryview):
            content = value
    if content is None:
        return None
    values = np.frombuffer(content, "<f4")
    if values.size != int(np.prod(shape)):  # one value that stands for all: no weights are so
        return None
    return values.reshape(shape)


def _fields(message: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    """Number and value of each field; numbers as int, everything else as bytes."""
    at, end = 0, len(message)
    while at < end:
        key, at = _varint(message, at)
        kind = key & 7
        if kind == 0:
            value, at = _varint(message, at)
            yield key >> 3, value
            continue
        if kind == 2:
            size, at = _varint(message, at)
        elif kind in (1, 5):
            size = 8 if kind == 1 else 4
        else:
            raise ValueError(f"no field is of kind {kind}")
        if at + size > end:
            raise ValueError("a field reaches beyond the end")
        yield key >> 3, message[at : at + size]
        at += size


def _varint(message: memoryview, at: int) -> tuple[int, int]:
    value, shift = 0, 0
    while at < len(message) and shift < 64:
        byte = message[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
    raise ValueError("a number does not end")


def _bytes(value: int | memoryview) -> memoryview:
    if isinstance(value, int):
        raise ValueError("a number where a message is expected")
    return value


def _int(value: int | memoryview) -> int:
    if not isinstance(value, int):
        raise ValueError("a message where a number is expected")
    return value
