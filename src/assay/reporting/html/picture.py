"""A small grey picture as a data URI, by the standard library alone."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Sequence


def picture(pixels: Sequence[float], *, shape: tuple[int, int], limits: tuple[float, float]) -> str:
    """`data:image/png;base64,...`, 8 bits of grey.

    pixels      row by row, height × width of them
    shape       (height, width)
    limits      the value that is white and the one that is black; what lies beyond is held there
    """
    height, width = shape
    low, high = limits
    grey = bytes(_grey(value, low, high) for value in pixels)
    rows = b"".join(b"\0" + grey[row * width : (row + 1) * width] for row in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    chunks = _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(rows, 9)) + _chunk(b"IEND", b"")
    return "data:image/png;base64," + base64.b64encode(b"\x89PNG\r\n\x1a\n" + chunks).decode("ascii")


def _grey(value: float, low: float, high: float) -> int:
    if not low < high or value != value:
        return 255
    return round(255 * (1 - min(1.0, max(0.0, (value - low) / (high - low)))))


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
