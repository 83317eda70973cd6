"""How the engine veils the text of a saved game: a key, then every byte changed by it, in hex."""

from exporters.model import ExportError

HEADER = b"!VCSK"
KEY = 0x5A
"""The engine draws a key by lot; ours is fixed, so that the same game gives the same bytes."""


def veil(text: str, key: int = KEY) -> bytes:
    """Return a text as the engine keeps it: the inverse of `unveil`.

    >>> veil("A", key=1)
    b'!VCSK0140'
    """
    changed = text.encode("utf-8").translate(_changing(key))
    return HEADER + f"{key:02x}".encode() + changed.hex().encode()


def unveil(data: bytes) -> str:
    """Return the text of a saved game; one without the header is plain already.

    Raises:
        ExportError: what follows the header is no such text.
    """
    try:
        if not data.startswith(HEADER):
            return data.decode("utf-8")
        changed = bytes.fromhex(data[len(HEADER) :].decode("ascii"))
        return changed[1:].translate(_changing(changed[0])).decode("utf-8")
    except (ValueError, IndexError):
        raise ExportError("the saved game does not read: save it again in the engine") from None


def _changing(key: int) -> bytes:
    """Return what becomes of each byte; the same both ways."""
    return bytes(byte ^ key for byte in range(256))
