"""The edits. Importing this package fills :data:`triptych.make.registry.EDITS`."""

from triptych.make.edits import (  # noqa: F401
    camera,
    colour,
    controls,
    geometry,
    overlay,
    picture,
    sound,
    time,
)
