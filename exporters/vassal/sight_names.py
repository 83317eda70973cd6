"""What the parts of sight are called: in a module of ours, or beside an author's own names."""

from dataclasses import dataclass

from exporters.vassal.terrain import TERRAIN

_DELETE = "68,130"  # Ctrl+D


@dataclass(frozen=True, slots=True)
class SightNames:
    """Every name that sight brings into a module; *before* keeps them clear of others'.

    *layers* is the property by which the map draws pieces in order, and its lowest and highest
    value; None where it has no such order.
    """

    before: str = ""
    layers: tuple[str, str, str] | None = ("Layer", "Sight", "Markers")

    @property
    def observer(self) -> str:
        """The property that holds the observer's hex."""
        return f"{self.before}SightFrom"

    @property
    def table(self) -> str:
        """The property that holds how the names of his table's rows begin."""
        return f"{self.before}SightTable"

    @property
    def state(self) -> str:
        """The property of a piece that holds the letter of its hex in that table."""
        return f"{self.before}SightState"

    @property
    def text(self) -> str:
        """The property of a piece that holds the verdict in words."""
        return f"{self.before}SightText"

    def says(self, letter: str) -> str:
        """Return the name of the message that tells a verdict in words."""
        return f"{self.before}SightSays_{letter}"

    @property
    def prototype(self) -> str:
        """The prototype that lets a piece ask."""
        return f"{self.before}Sight"

    @property
    def delete_key(self) -> str | None:
        """The key that takes a piece off: none where an author may use it otherwise."""
        return None if self.before else _DELETE

    @property
    def terrain(self) -> str:
        """How the names of the messages begin that tell what lies in a hex."""
        return f"{self.before}{TERRAIN}"

    @property
    def rows(self) -> str:
        """How the names of the rows of tables begin."""
        return f"{self.before}Sight_|"

    @property
    def shift(self) -> str:
        """The property that holds how many letters of a row stand before those of his weather."""
        return f"{self.before}SightShift"

    def command(self, word: str) -> str:
        """Return the name of a command."""
        return f"mapkit{self.before}{word}"

    def image(self, file: str) -> str:
        """Return the name of a picture."""
        return f"{self.before}{file}"


OWN = SightNames()
"""The names in a module of ours."""
