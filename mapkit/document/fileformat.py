"""The format `mapkit-map/1`, word for word: the JSON Schema in docs/ is made from these classes.

Only what is written otherwise in the file than in the model has a class of its own here:
places are labels in the file and hexes in the model.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from mapkit.grid import Grid
from mapkit.kinds import Kinds
from mapkit.model import Picture, Provenance, Value
from mapkit.numbering import Numbering, SheetPart

Number = Annotated[int, Field(ge=-1_000_000, le=1_000_000)]
Text = Annotated[str, Field(max_length=10_000)]
Label = Annotated[str, Field(min_length=1, max_length=60, description="A hex, as printed: 0305")]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class FeatureEntry(_Strict):
    """One thing on a hex, a hexside or a link."""

    kind: Annotated[Text, Field(min_length=1)]
    value: Number | None = Field(None, description="Printed number: trench level, victory points")
    owner: Text = Field("", description="The side it belongs to")
    state: Text = Field("", description="What became of it, as in 'blown'")
    facing: Label | None = Field(None, description="On a hexside: the hex it belongs to")
    name: Text = ""
    note: Text = ""
    provenance: Provenance | None = None


class HexEntry(_Strict):
    """One hex: one line of the file."""

    label: Label
    q: Number = Field(description="Axial column")
    r: Number = Field(description="Axial row")
    terrain: Text = Field(description="An id of kinds.terrain, or 'unknown'")
    level: Number | None = Field(description="Height level, null where unknown")
    features: list[FeatureEntry] = []
    name: Text = ""
    note: Text = ""
    provenance: dict[Value, Provenance] = {}


class HexsideEntry(_Strict):
    """One hexside that carries something."""

    hexside: str = Field(description="Two hexes that touch: 1534/1535", max_length=130)
    features: list[FeatureEntry] = Field(min_length=1)


class LinkEntry(_Strict):
    """One link between two hexes: road, trail, rail."""

    link: str = Field(description="Two hexes that touch: 1534-1535", max_length=130)
    features: list[FeatureEntry] = Field(min_length=1)


class AreaEntry(_Strict):
    """A named part of the map."""

    name: Annotated[Text, Field(min_length=1)]
    kind: Text
    hexes: list[Label] = []
    hexsides: list[str] = []
    note: Text = ""


class MapFile(_Strict):
    """A Mapkit map document."""

    format: Literal["mapkit-map/1"]
    schema_: Text = Field("", alias="$schema", description="Where this schema lies, for editors")
    title: Text = ""
    notes: list[Text] = []
    provenance: Provenance = Field(
        default=Provenance("import"), description="Of every value that states none itself"
    )
    grid: Grid
    numbering: Numbering | None = None
    sheets: list[SheetPart] = Field(
        [], description="Instead of numbering: joined sheets that keep their own numbers"
    )
    picture: Picture | None = None
    kinds: Kinds = Kinds()
    hexes: list[HexEntry]
    hexsides: list[HexsideEntry] = []
    links: list[LinkEntry] = []
    areas: list[AreaEntry] = []


def map_schema() -> dict[str, object]:
    """Return the JSON Schema of the format, for editors and for other programs."""
    schema = MapFile.model_json_schema()
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    return schema
