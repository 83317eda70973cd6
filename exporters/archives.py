"""Zip archives whose bytes hang on their content alone: fixed times, fixed order, fixed rights."""

import zipfile
from collections.abc import Iterable
from io import BytesIO

from exporters.model import OutFile
from exporters.writing import require_safe

TIMESTAMP = (2020, 1, 1, 0, 0, 0)
"""The time of every entry; an export does not know when it was made."""

# Packing what is packed already costs time and gains nothing.
_PACKED = (".png", ".jpg", ".jpeg", ".webp", ".vsav", ".zip")
_PLAIN_FILE = 0o644 << 16
_UNIX = 3


def pack_zip(files: Iterable[OutFile]) -> bytes:
    """Return the files as one archive, in the order given.

    Raises:
        ExportError: a path leads outside, or stands twice.
    """
    listed = list(files)
    require_safe([file.path for file in listed])
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for file in listed:
            entry = zipfile.ZipInfo(file.path, TIMESTAMP)
            entry.external_attr = _PLAIN_FILE
            entry.create_system = _UNIX  # else it would tell on which system it was made
            stored = file.path.lower().endswith(_PACKED)
            entry.compress_type = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
            archive.writestr(entry, file.data, compresslevel=6)
    return out.getvalue()
