"""Art styles that nobody tuned on: the styles of Mapkit with other colours, by a seed."""

import colorsys
from pathlib import Path

import numpy as np

from mapkit.drawing.style import load_style


def seeded_style(style: str, seed: int, folder: Path) -> Path:
    """Write a style with other fills, other tints and other covers into a folder; return it.

    All tints turn by one hue and one lightness, so that they stay a scale; each fill by its own.
    """
    dice = np.random.default_rng([seed, *style.encode()])
    look = load_style(style)
    turn, light = dice.uniform(-0.06, 0.06), dice.uniform(-0.05, 0.03)
    tints = ", ".join(f'"{_turned(tint, turn, light)}"' for tint in look.levels.tints)
    lines = [f'extends = "{style}"', f'name = "{style}-{seed}"', "[levels]", f"tints = [{tints}]"]
    for role, ground in look.terrain.items():
        fill = _turned(ground.fill, dice.uniform(-0.05, 0.05), dice.uniform(-0.06, 0.04))
        lines += [f"[terrain.{role}]", f'fill = "{fill}"']
        if 0 < ground.over_levels < 1:
            cover = np.clip(ground.over_levels + dice.uniform(-0.12, 0.06), 0.2, 0.9)
            lines.append(f"over_levels = {cover:.2f}")
    path = folder / f"{style}-{seed}.toml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _turned(colour: str, turn: float, light: float) -> str:
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    hue, lightness, strength = colorsys.rgb_to_hls(red, green, blue)
    lightness = min(max(lightness + light, 0.05), 0.97)
    parts = colorsys.hls_to_rgb((hue + turn) % 1.0, lightness, strength)
    return "#" + "".join(f"{round(255 * part):02x}" for part in parts)
