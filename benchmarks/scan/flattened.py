"""Sheets as a scan shows them, laid flat again by the exact record of how they lay.

What the grid's finder would do with small errors is done here with none, so that the stages
after it are measured alone: on the noise, JPEG, shading and creases of a real scan.
"""

from dataclasses import replace

import numpy as np

from benchmarks.scan.truths import Truth
from mapkit.scan.sheet import FlatSheet, Pixels
from sample_maps.scan_kinds import Kind
from sample_maps.scans import simulate
from sample_maps.transforms import Transform


def scanned(truth: Truth, kind: Kind, seed: int) -> Truth:
    """Return the same map as a scan shows it, flattened; its grid and legend stay where they are.

    Only kinds that give one file: not `parts`.
    """
    [scan] = simulate(truth.sheet.pixels, kind, seed)
    flat = lay_flat(scan.pixels(), scan.transform)
    sheet = FlatSheet(flat, truth.sheet.grid, truth.sheet.hexes)
    return replace(truth, name=f"{truth.name}, {kind} {seed}", sheet=sheet)


def lay_flat(scan: Pixels, transform: Transform) -> Pixels:
    """Return the sheet that a scan shows, every pixel fetched from where it lies."""
    import cv2

    width, height = transform.sheet_px
    flat = np.empty((height, width, 3), np.uint8)
    for top in range(0, height, 512):
        y, x = np.mgrid[top : min(top + 512, height), 0:width]
        points = np.column_stack((x.ravel() + 0.5, y.ravel() + 0.5)).astype(float)
        u, v = transform.to_scan(points).T.astype(np.float32).reshape(2, *x.shape) - 0.5
        flat[top : top + 512] = cv2.remap(scan, u, v, cv2.INTER_LINEAR)
    return flat
