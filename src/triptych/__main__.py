"""``python -m triptych``: the same as ``triptych``."""

from triptych.cli.app import main

if __name__ == "__main__":
    main()
