"""The optional parts: which extra brings which module.

Code imports what it needs in the body that needs it. Where that is not
installed, the edge (the command line, the demo) asks here and names the extra,
so nobody wraps an import in `try`.
"""

from collections.abc import Mapping

from mapkit.errors import MissingExtraError

EXTRA_OF: Mapping[str, str] = {
    "cv2": "scan",
    "pypdfium2": "scan",
    "scipy": "scan",
    "sklearn": "scan",
    "onnxruntime": "ocr",
    "rapidocr": "ocr",
    "python_multipart": "web",
    "segno": "web",
    "starlette": "web",
    "uvicorn": "web",
    "reportlab": "print",
}
"""The extra of pyproject.toml by the module it is missed by."""


def missing_extra(error: BaseException, purpose: str) -> MissingExtraError | None:
    """Return the error that names the extra, where *error* is a module of one not found.

    >>> found = missing_extra(ModuleNotFoundError(name="cv2"), "reading a scan")
    >>> print(found)
    reading a scan needs the optional part 'scan': pip install "mapkit[scan]"
    """
    if isinstance(error, MissingExtraError):
        return error
    name = error.name or "" if isinstance(error, ModuleNotFoundError) else ""
    extra = EXTRA_OF.get(name.partition(".")[0])
    return MissingExtraError(extra, purpose) if extra else None
