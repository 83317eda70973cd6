"""An independent small verifier of rulings: the standard library, plain JSON, exact fractions.

It shares no code with the judges: what they found by bitboards and gates is found here again by
clipping a line against hexagons one by one, and by walking from hex to hex.
"""

from rules.verifier.verdicts import Verification, verify

__all__ = ["Verification", "verify"]
