"""A printed sheet scanned and laid flat again by its true transform: real noise, true grid."""

from dataclasses import replace

import numpy as np

from benchmarks.scan.truths import Truth
from sample_maps.scan_kinds import Kind
from sample_maps.scans import simulate


def scanned(truth: Truth, kind: Kind, seed: int) -> Truth:
    """Return the same truth on a simulated scan of its sheet."""
    import cv2

    [scan] = simulate(truth.sheet.pixels, kind, seed)
    height, width = truth.sheet.pixels.shape[:2]
    pixels, flat = scan.pixels(), np.empty_like(truth.sheet.pixels)
    for top in range(0, height, 256):
        rows = min(256, height - top)
        y, x = np.mgrid[top : top + rows, 0:width] + 0.5
        points = scan.transform.to_scan(np.column_stack((x.ravel(), y.ravel()))) - 0.5
        u, v = (axis.reshape(rows, width).astype(np.float32) for axis in points.T)
        cv2.remap(pixels, u, v, cv2.INTER_LINEAR, dst=flat[top : top + rows])
    return replace(truth, sheet=replace(truth.sheet, pixels=flat))
