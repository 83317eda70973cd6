"""Documents on disk, maps and positions alike: atomic saves, a journal with undo, a lock."""

from mapkit.store.codec import Codec
from mapkit.store.documents import EditSession, Loaded, OnConflict, open_session, read, save
from mapkit.store.journal import Edit

__all__ = [
    "Codec",
    "Edit",
    "EditSession",
    "Loaded",
    "OnConflict",
    "open_session",
    "read",
    "save",
]
