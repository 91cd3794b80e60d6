"""What Python imports first in each process that a watched program starts: it listens for ranks.

The folder of this file is the first on PYTHONPATH; it leaves the process's own path, and whatever sitecustomize the
environment has itself is imported in this one's place.
"""

import contextlib
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120  # pathlib would cost each process some ms
sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != HERE]  # noqa: PTH100

with contextlib.suppress(Exception):  # a Python without assay, or with another version, runs as without a watch
    from assay.watching.ranks import listen

    listen()

ours = sys.modules.pop("sitecustomize")
try:
    import sitecustomize  # noqa: F401
except ModuleNotFoundError as missing:
    if missing.name != "sitecustomize":  # the environment's own is at fault
        raise
    sys.modules["sitecustomize"] = ours
