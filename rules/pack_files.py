"""The files of a pack: TOML, read at one place, with one way to tell what is wrong in them."""

import tomllib
from importlib.abc import Traversable
from typing import Any

from pydantic import ValidationError

from rules.errors import PackError


def read_toml(file: Traversable) -> dict[str, Any] | None:
    """Return what a file holds; None where there is no such file.

    Raises:
        PackError: it does not read; the message names it.
    """
    if not file.is_file():
        return None
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise PackError(f"{file}: cannot be read: {error}") from None
    except (ValueError, RecursionError) as error:
        raise PackError(f"{file}: broken TOML: {error}") from None


def told_faults(error: ValidationError) -> str:
    """Return every fault a model found, each with its key."""
    return "; ".join(
        f"{'.'.join(map(str, detail['loc'])) or 'the file'}: {detail['msg']}"
        for detail in error.errors()
    )
