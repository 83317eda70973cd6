"""An invented game in a folder of the user's: a few rules, words in three languages, two books."""

from pathlib import Path

PACK = """
id = "skirmish"
title = "Skirmish at the Ford"
[layout]
order = "CCRR"
straight = "columns"
shoved = "even"
columns_run = "E"
rows_run = "S"
confirmed = true
cite = "2.1"
[terrain]
forest = { cite = "4.3" }
"""

RULES = """
[[rule]]
number = "1.0"
title = "What the game is about"
summary = "Two bands form a line at a ford and neither wants to go home wet."

[[rule]]
number = "2"
term = "Ford"
title = "Ford"
summary = "A shallow place in the river; the only one for a day's march."

[[rule]]
number = "2"
term = "Band"
title = "Band"
summary = "All units of one side together with their mules."

[[rule]]
number = "4"
title = "Movement"
summary = "Each unit walks as far as its boots allow."

[[rule]]
number = "4.1"
title = "Walking"
summary = "A unit walks up to four hexes, one fewer when it is hungry."
phases = ["3"]
see = ["5.2"]

[[rule]]
number = "4.3"
title = "Woods"
summary = "A forest hex costs two, and the artillery cannot enter it at all."
units = ["artillery"]
terrain = ["forest"]

[[rule]]
number = "4.10"
title = "Fords and mules"
summary = "A mule crosses at a ford only, and only if somebody pulls it."

[[rule]]
number = "5"
title = "Supply"
summary = "Bread comes over the ford; without it a unit goes hungry."

[[rule]]
number = "5.2"
title = "Hungry units"
summary = "A unit that is not supplied for two turns stops listening. Artillery needs no bread."
units = ["drum_major"]
see = ["4.1", "Table 1"]

[[rule]]
number = "6"
title = "Line of sight"
summary = "What stands higher than both ends hides the one from the other."

[[rule]]
number = "Table 1"
title = "Moods of hungry units"
summary = "Roll one die for each hungry unit and look how it takes the news."
"""

WORDS = """
[supply]
en = ["supply", "provisions"]
de = ["Versorgung", "Nachschub"]
it = ["rifornimento", "vettovagliamento"]

[line_of_sight]
en = ["line of sight", "LoS"]
de = ["Sichtlinie"]
it = ["linea di vista"]

[artillery]
en = ["artillery", "guns"]
de = ["Artillerie", "Geschütze"]
it = ["artiglieria"]

[height]
en = ["higher", "height"]
de = ["Höhe"]
it = ["città alta"]
"""

BOOK = """\
CONTENTS
1. About the game 1
4. Movement 1
4.1 Walking 1
5. Supply 2

1. About the game
Two bands.
4. Movement
Boots decide. A band of
12 mules counts as one.
4.1 Walking. Four hexes are the rule, as
5.2 will explain in due time to every-
body who asks.
\f5. Supply
Bread.
5.2 Hungry units. They stop listening and
4.1 no longer holds for them.
7.1 Weather. The sun always shines.
"""


def write_game(folder: Path) -> Path:
    """Write the pack into a folder of packs and return its own folder."""
    game = folder / "skirmish"
    game.mkdir(parents=True)
    for name, text in {"pack.toml": PACK, "rules.toml": RULES, "words.toml": WORDS}.items():
        (game / name).write_text(text, encoding="utf-8")
    return game
