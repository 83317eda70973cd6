"""One HTML file of the page's sources and its data; nothing in it comes from anywhere else.

The sources are plain ES modules. A file on the disk cannot import another one in a browser, so
they are put one after the other, their import lines and the word `export` left out: a test holds
them to names that no two of them share. What may run is named by its fingerprint: a name in a map
that looks like a script is text, and would not run if it were not.
"""

import base64
import html
import json
import re
import zlib
from collections.abc import Iterator, Mapping
from hashlib import sha256
from importlib import resources
from typing import Any

SCRIPTS = (
    "words.js", "unpack.js", "sheet.js", "keys.js", "joining.js", "profile.js", "made.js",
    "panels.js", "books.js", "page.js",
)  # fmt: skip

_IMPORT = re.compile(r"^import [^;]+;\n", re.MULTILINE)
_EXPORT = re.compile(r"^export ", re.MULTILINE)


def page_file(title: str, data: Mapping[str, Any], blobs: Mapping[str, bytes]) -> bytes:
    """Return the page: *data* is packed as JSON, *blobs* stay bytes, each under its name."""
    style, script = _source("page.css"), joined_script()
    packed = zlib.compress(json.dumps(data, separators=(",", ":")).encode(), 6)
    policy = "; ".join(
        (
            "default-src 'none'",
            "img-src data: blob:",
            f"style-src '{_fingerprint(style)}'",
            f"script-src '{_fingerprint(script)}'",
        )
    )
    parts = {
        "title": html.escape(title),
        "policy": policy,
        "style": style,
        "script": script,
        "data": "\n".join(_stored({"data": packed, **blobs})),
    }
    whole = _source("page.html")
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], whole).encode()


def joined_script() -> str:
    """Return all modules as one."""
    return "\n".join(_EXPORT.sub("", _IMPORT.sub("", _source(name))) for name in SCRIPTS)


def _stored(blobs: Mapping[str, bytes]) -> Iterator[str]:
    for name, data in blobs.items():
        text = base64.b64encode(data).decode("ascii")
        yield f'<script type="text/plain" id="{html.escape(name)}">{text}</script>'


def _source(name: str) -> str:
    return (resources.files("exporters.page") / "source" / name).read_text(encoding="utf-8")


def _fingerprint(text: str) -> str:
    return f"sha256-{base64.b64encode(sha256(text.encode()).digest()).decode('ascii')}"
