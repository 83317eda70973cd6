"""Pictures of drawings, as arrays of pixels."""

import io

import numpy as np
import pytest
from PIL import Image

from mapkit.drawing import Drawing, rasterise


@pytest.fixture(scope="session")
def pixels():
    """Return a function that rasterises a drawing to an array of RGB pixels."""

    def pixels_of(drawing: Drawing) -> np.ndarray:
        with Image.open(io.BytesIO(rasterise(drawing))) as image:
            return np.asarray(image.convert("RGB")).astype(int)

    return pixels_of
