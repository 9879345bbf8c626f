"""SSD with MobileNetV2, cut down to the one class "person", as a model for onnxruntime.

The network is that of Liu et al. (SSD, ECCV 2016) on the features of Sandler et al. (MobileNetV2,
CVPR 2018), as TensorFlow's model zoo published it trained on COCO under
``ssd_mobilenet_v2_coco_2018_03_29``. Half the work and three quarters of the weights serve the
other 90 classes, which are left out here: 20 instead of 110 ms a picture on one core.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

F32 = npt.NDArray[np.float32]

#: Side of the square picture that the network sees, pixels.
SIDE = 300
#: Sides of the six maps on which boxes are looked for.
MAPS = (19, 10, 5, 3, 2, 1)
#: Where the weights stand in the published graph.
UNDER = ("FeatureExtractor/", "BoxPredictor_")
#: Classes of the published network, the background being 0 and a person 1.
_CLASSES, _PERSON = 91, 1
#: Blocks of MobileNetV2 that halve the picture; block 13 gives the largest map before it does.
_HALVING, _BLOCKS, _TAPPED = (1, 3, 6, 13), 17, 13
_EPSILON = 0.001
_BASE = "FeatureExtractor/MobilenetV2/"

#: Field numbers and values of ``onnx.proto3``.
_FLOAT, _INT, _STRING, _INTS = 1, 2, 3, 7
_IR_VERSION, _OPSET = 8, 13


@dataclass(slots=True)
class _Graph:
    """An ONNX graph as it grows; every method that adds a node returns its output's name."""

    weights: Mapping[str, F32]
    nodes: list[bytes] = field(default_factory=list)
    constants: list[bytes] = field(default_factory=list)

    def constant(self, name: str, value: F32) -> str:
        data = np.ascontiguousarray(value, "<f4").tobytes()
        dims = b"".join(_number(1, d) for d in value.shape)
        head = dims + _number(2, 1) + _text(8, name) + _head(9, len(data))
        # In pieces, which are joined once: the weights are large.
        self.constants += [_head(5, len(head) + len(data)) + head, data]
        return name

    def node(self, op: str, name: str, inputs: Iterable[str], attributes: Iterable[bytes]) -> str:
        body = b"".join(_text(1, i) for i in inputs) + _text(2, name) + _text(4, op)
        self.nodes.append(_part(1, body + b"".join(_part(5, a) for a in attributes)))
        return name

    def convolution(self, source: str, name: str, w: F32, b: F32, stride: int, group: int) -> str:
        """``w`` as (height, width, in, out), TensorFlow's order, padded as its "SAME" does."""
        kernel = self.constant(f"{name}/w", w.transpose(3, 2, 0, 1))
        bias = self.constant(f"{name}/b", b)
        attributes = (
            _attribute("auto_pad", _STRING, _part(4, b"SAME_UPPER")),
            _attribute("group", _INT, _number(3, group)),
            _attribute("strides", _INTS, _number(8, stride) + _number(8, stride)),
        )
        return self.node("Conv", name, (source, kernel, bias), attributes)

    def layer(self, source: str, name: str, stride: int = 1, bounded: bool = True) -> str:
        """Convolution with its batch normalisation folded in, and ReLU6 where ``bounded``."""
        full = _BASE + name
        gamma, beta, mean, variance = (
            self.weights[f"{full}/BatchNorm/{x}"]
            for x in ("gamma", "beta", "moving_mean", "moving_variance")
        )
        scale = gamma / np.sqrt(variance + np.float32(_EPSILON))
        depthwise = self.weights.get(f"{full}/depthwise_weights")
        if depthwise is not None:
            w, group = depthwise.transpose(0, 1, 3, 2) * scale, depthwise.shape[2]
        else:
            w, group = self.weights[f"{full}/weights"] * scale, 1
        out = self.convolution(source, name, w, beta - mean * scale, stride, group)
        return self.node("Clip", f"{name}/6", (out, "zero", "six"), ()) if bounded else out


def one_class(name: str, constant: F32) -> F32:
    """What is left of a constant of the published graph without the other classes."""
    return constant[..., _PERSON::_CLASSES] if "/ClassPredictor/" in name else constant


def onnx_model(weights: Mapping[str, F32]) -> bytes:
    """The network as a serialised ONNX model, opset 13.

    ``weights``: the published graph's constants by name, after :func:`one_class`. Input
    ``picture``: float32 (1, 3, SIDE, SIDE), RGB in -1..1. Outputs, for each of MAPS: ``person0`` to
    ``person5``, (1, anchors, side, side), before the logistic function; ``box0`` to ``box5``, (1,
    anchors x 4, side, side), see :func:`decoded`. Raises :class:`KeyError` and
    :class:`ValueError` where weights are missing.
    """
    g = _Graph(weights)
    g.constant("zero", np.zeros((), np.float32))
    g.constant("six", np.full((), 6.0, np.float32))
    outputs: list[bytes] = []
    for i, source in enumerate(_maps(g)):
        for kind, part in (("person", "ClassPredictor"), ("box", "BoxEncodingPredictor")):
            w = weights[f"BoxPredictor_{i}/{part}/weights"]
            b = weights[f"BoxPredictor_{i}/{part}/biases"]
            name = g.convolution(source, f"{kind}{i}", w, b, 1, 1)
            outputs.append(_part(12, _value(name, (1, w.shape[3], MAPS[i], MAPS[i]))))
    picture = _part(11, _value("picture", (1, 3, SIDE, SIDE)))
    graph = [*g.nodes, _text(2, "people"), *g.constants, picture, *outputs]
    head = _number(1, _IR_VERSION) + _head(7, sum(map(len, graph)))
    return b"".join([head, *graph, _part(8, _number(2, _OPSET))])


def _maps(g: _Graph) -> list[str]:
    """The six feature maps, largest first."""
    at = g.layer("picture", "Conv", 2)
    at = g.layer(at, "expanded_conv/depthwise")
    at = g.layer(at, "expanded_conv/project", bounded=False)
    out = []
    for i in range(1, _BLOCKS):
        block = f"expanded_conv_{i}"
        inner = g.layer(at, f"{block}/expand")
        if i == _TAPPED:
            out.append(inner)
        stride = 2 if i in _HALVING else 1
        inner = g.layer(inner, f"{block}/depthwise", stride)
        inner = g.layer(inner, f"{block}/project", bounded=False)
        w = g.weights[f"{_BASE}{block}/expand/weights"].shape[2]
        same = stride == 1 and w == g.weights[f"{_BASE}{block}/project/weights"].shape[3]
        at = g.node("Add", f"{block}/sum", (at, inner), ()) if same else inner
    at = g.layer(at, "Conv_1")
    out.append(at)
    for i, (narrow, wide) in enumerate(((256, 512), (128, 256), (128, 256), (64, 128)), start=2):
        at = g.layer(at, f"layer_19_1_Conv2d_{i}_1x1_{narrow}")
        name = f"layer_19_2_Conv2d_{i}_3x3_s2_{wide}"
        at = g.layer(g.layer(at, f"{name}_depthwise", 2), name)
        out.append(at)
    return out


def anchors() -> F32:
    """The boxes that the network corrects, float32 (1917, 4): centre x, y, width, height.

    In shares of the picture; SSD's scales from 0.2 to 0.95, with three small ones on the largest
    map (section 2.2, as the model's published configuration sets it).
    """
    scales = [0.2 + 0.15 * i for i in range(6)] + [1.0]
    out = []
    for i, side in enumerate(MAPS):
        if i == 0:
            shapes = [(0.1, 1.0), (scales[0], 2.0), (scales[0], 0.5)]
        else:
            shapes = [(scales[i], r) for r in (1.0, 2.0, 0.5, 3.0, 1 / 3)]
            shapes.append(((scales[i] * scales[i + 1]) ** 0.5, 1.0))
        sizes = np.array([(s * r**0.5, s / r**0.5) for s, r in shapes])
        y, x, k = np.meshgrid(range(side), range(side), range(len(shapes)), indexing="ij")
        centres = np.stack([(x + 0.5) / side, (y + 0.5) / side], axis=-1).reshape(-1, 2)
        out.append(np.hstack([centres, sizes[k.ravel()]]))
    return np.concatenate(out).astype(np.float32)


def decoded(outputs: Sequence[F32], prior: F32) -> tuple[F32, F32]:
    """Boxes, float32 (n, 4) left, top, width, height in shares, and scores (n,), 0 to 1.

    ``outputs``: a person and a box map for each of MAPS, in turn; ``prior``: :func:`anchors`.
    """
    rows = [np.transpose(x[0], (1, 2, 0)) for x in outputs]
    odds = np.concatenate([r.reshape(-1) for r in rows[0::2]])
    code = np.concatenate([r.reshape(-1, 4) for r in rows[1::2]])  # y, x, height, width
    centre = prior[:, :2] + code[:, 1::-1] / 10 * prior[:, 2:]
    size = prior[:, 2:] * np.exp(np.minimum(code[:, 3:1:-1] / 5, 4.0))
    scores = 1 / (1 + np.exp(-np.clip(odds, -50, 50)))
    boxes = np.hstack([centre - size / 2, size])
    return boxes.astype(np.float32), scores.astype(np.float32)


def _attribute(name: str, kind: int, value: bytes) -> bytes:
    return _text(1, name) + value + _number(20, kind)


def _value(name: str, shape: Sequence[int]) -> bytes:
    dims = b"".join(_part(1, _number(1, d)) for d in shape)
    return _text(1, name) + _part(2, _part(1, _number(1, 1) + _part(2, dims)))


def _text(number: int, value: str) -> bytes:
    return _part(number, value.encode())


def _part(number: int, value: bytes) -> bytes:
    return _head(number, len(value)) + value


def _head(number: int, size: int) -> bytes:
    return _varint(number << 3 | 2) + _varint(size)


def _number(number: int, value: int) -> bytes:
    return _varint(number << 3) + _varint(value)


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
