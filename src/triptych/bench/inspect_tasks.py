"""What the entry point of Inspect imports: our tasks, under the name ``triptych``."""

from triptych.bench.vidic.inspect_task import vidic as vidic
