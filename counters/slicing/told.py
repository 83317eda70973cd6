"""What slicing found, in a few lines of words, and as data."""

from typing import Any

from counters.slicing.contact_sheet import told_turn
from counters.slicing.pairing import Verdict
from counters.slicing.slice_sheet import Sliced
from mapkit.texts import say

_MM = 25.4


def told_slice(sliced: Sliced, dpi: float | None) -> list[str]:
    """Return what was found, in a few lines."""
    lines = []
    for name, front in zip(sliced.names, sliced.fronts, strict=True):
        found = front.found
        values = {"name": name, "rows": found.rows, "columns": found.columns}
        sure, rms = f"{found.confidence:.0%}", f"{max(found.rms_px, 0.1):.1f}"
        lines.append(
            say("counters.slice.section", **values, held=len(found.held), sure=sure, rms=rms)
        )
        if min(found.lattice.share) < 0.995 and dpi:
            x, y = (
                px * (1 - share) / dpi * _MM
                for px, share in zip(found.lattice.pitch_px, found.lattice.share, strict=True)
            )
            lines.append("  " + say("counters.slice.gutter", x=f"{x:.1f}", y=f"{y:.1f}"))
        if found.offset_px:
            key, unit = ("offset", _MM / dpi) if dpi else ("offset_px", 1.0)
            x, y = (round(px * unit, 1) for px in found.offset_px)
            lines.append("  " + say(f"counters.slice.{key}", x=f"{x + 0:+.1f}", y=f"{y + 0:+.1f}"))
    count = len(sliced.kinds)
    lines.append(say("counters.slice.copies", n=count, copies=len(sliced.cells) - count))
    return lines + told_verdict(sliced)[1]


def told_verdict(sliced: Sliced) -> tuple[str, list[str]]:
    """Return the word for the verdict on the pairing, and what is to be said of it."""
    pairing = sliced.pairing
    if sliced.blank_back:
        reason = say("counters.slice.reason.blank")
        return "unproven", [say("counters.slice.verdict.unproven", reason=reason)]
    if pairing is None:
        return "none", [say("counters.slice.no_back")]
    lines = [
        say(
            f"counters.slice.verdict.{pairing.verdict.value}",
            turn=told_turn(sliced),
            sure=f"{pairing.confidence:.0%}",
            reason=say(f"counters.slice.reason.{pairing.reason}"),
        )
    ]
    if sliced.is_paired:
        lines += [
            say("counters.slice.verdict.section_foreign", name=name)
            for name, one in zip(sliced.names, pairing.sections, strict=True)
            if one.verdict is Verdict.FOREIGN
        ]
        if not pairing.upright:
            lines.append(say("counters.slice.verdict.not_upright"))
    return pairing.verdict.value, lines


def slice_data(sliced: Sliced, ids: tuple[str, ...], dpi: float | None) -> dict[str, Any]:
    """Return what was found as plain values for JSON."""
    return {
        "sections": [
            {
                "name": name,
                "rows": front.found.rows,
                "columns": front.found.columns,
                "corners": [list(corner) for corner in front.found.lattice.quad],
                "confidence": round(front.found.confidence, 3),
                "rms_px": round(front.found.rms_px, 3),
                "cut_lines": front.found.lined,
                "offset_mm": _in_mm(front.found.offset_px, dpi),
            }
            for name, front in zip(sliced.names, sliced.fronts, strict=True)
        ],
        "pairing": _pairing_data(sliced),
        "counters": [
            {
                "id": ids[index],
                "section": sliced.names[cell.section],
                "row": cell.place[0] + 1,
                "column": cell.place[1] + 1,
                "copies": sliced.copies(index),
                "pair_confidence": round(cell.confidence, 3) if cell.back is not None else None,
            }
            for index in sliced.kinds
            for cell in (sliced.cells[index],)
        ],
        "dpi": dpi,
    }


def _in_mm(offset_px: tuple[float, float] | None, dpi: float | None) -> list[float] | None:
    return [round(px / dpi * _MM, 2) for px in offset_px] if offset_px and dpi else None


def _pairing_data(sliced: Sliced) -> dict[str, Any]:
    verdict, lines = told_verdict(sliced)
    pairing = sliced.pairing
    if pairing is None:
        return {"verdict": verdict, "told": lines}
    turn = pairing.turn
    return {
        "verdict": verdict,
        "told": lines,
        "reason": pairing.reason,
        "flip": turn.flip.value if turn else None,
        "turn_deg": 90 * turn.quarters if turn else None,
        "upright": pairing.upright,
        "confidence": round(pairing.confidence, 3),
        "sections": {
            name: one.verdict.value
            for name, one in zip(sliced.names, pairing.sections, strict=True)
        },
        "tried": [
            {
                "flip": one.turn.flip.value,
                "turn_deg": 90 * one.turn.quarters,
                "above_chance": [round(part, 1) for part in one.parts],
            }
            for one in pairing.tried
        ],
    }
