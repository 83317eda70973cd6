"""The map window: boards, and the tools without which nobody could drag a piece."""

from collections.abc import Sequence

from exporters.vassal.elements import Element, add, element, plain
from exporters.vassal.sequence import TAB, join
from exporters.vassal.sight_expressions import hover_expression
from exporters.vassal.sight_names import OWN, SightNames
from exporters.vassal.terrain import hover_text
from mapkit.texts import say

_MAP = "build.module.map"
_LEVELS = "0.1,0.15,0.2,0.25,0.333,0.5,0.625,0.75,1.0,1.25,1.6,2.0"
_START = 6  # counted from the nearest: 0.625
LAYERS = ("Sight", "Terrain", "Units", "Markers")
"""In which order pieces are drawn, the lowest first."""

# What a map element needs before its pieces can be moved, opened, stacked and marked.
_TOOLS = (
    "ForwardToKeyBuffer",
    "Scroller",
    "ForwardToChatter",
    "MenuDisplayer",
    "MapCenterer",
    "StackExpander",
    "PieceMover",
    "KeyBufferer",
)


def map_window(
    name: str,
    boards: Sequence[Element],
    *,
    docked: bool,
    ground: bool = False,
    sight: bool = False,
) -> Element:
    """Return a map window, which opens on its first board; only one docks in the main window.

    Where it shows no *ground* to move over, the mouse tells the names of its places.
    """
    made = element(
        "build.module.Map",
        mapName=name,
        allowMultiple=False,
        buttonName=name,
        launch=not docked,
        icon="/images/map.gif",
        markMoved="Always" if ground else "Never",
        moveWithinFormat="$pieceName$: $previousLocation$ → $location$ *",
        moveToFormat="$pieceName$: $previousLocation$ → $location$ *",
        createFormat="$pieceName$ → $location$ *",
        changeFormat="$message$",
    )
    picker = add(
        made,
        f"{_MAP}.BoardPicker",
        title=say("exporters.vassal.choose_board"),
        boardPrompt=say("exporters.vassal.choose_board"),
    )
    first = join("/", [boards[0].get("name", "")])
    plain(picker, "setup", join(TAB, [f"{name}BoardPicker", first, "0", "0"]))
    picker.extend(boards)
    add(made, f"{_MAP}.StackMetrics", exSepX=8, exSepY=22, unexSepX=3, unexSepY=5)
    for tool in _TOOLS:
        add(made, f"{_MAP}.{tool}")
    add(made, f"{_MAP}.ImageSaver", tooltip=say("exporters.vassal.save_picture"))
    made.append(viewer(viewer_text(sight=sight) if ground else "$LocationName$"))
    _add_zoom(made)
    if ground:
        _add_views(made)
    order = ",".join(LAYERS)
    add(made, f"{_MAP}.LayeredPieceCollection", property="Layer", layerOrder=order)
    add(made, "build.module.properties.GlobalProperties")
    add(made, f"{_MAP}.SelectionHighlighters")
    add(made, f"{_MAP}.HighlightLastMoved", color="255,0,0", enabled=True, thickness=2)
    return made


def viewer_text(names: SightNames = OWN, *, sight: bool) -> str:
    """Return what the mouse shows on a hex: what lies there, and whether the observer sees it."""
    text = hover_expression(names) if sight else hover_text(names.terrain)
    return f"{{{text}}}"


def viewer(text: str, **more: object) -> Element:
    """Return what the mouse shows: pieces of a stack, and on an empty hex a text."""
    return element(
        f"{_MAP}.CounterDetailViewer",
        version=4,
        delay=400,
        minDisplayPieces=0,
        showgraph=True,
        showgraphsingle=True,
        showtext=True,
        showtextsingle=True,
        fontSize=12,
        bgColor="255,255,240",
        zoomlevel=2.0,
        display="from all layers",
        summaryReportFormat=text,
        emptyHexReportForma=text,
        **more,
    )


def _add_zoom(made: Element) -> None:
    add(made, f"{_MAP}.Flare", circleColor="255,0,0", flareKey="keyAlt")
    add(
        made,
        f"{_MAP}.Zoomer",
        zoomLevels=_LEVELS,
        zoomStart=_START,
        inTooltip=say("exporters.vassal.zoom_in"),
        outTooltip=say("exporters.vassal.zoom_out"),
        pickTooltip=say("exporters.vassal.zoom_pick"),
    )


def _add_views(made: Element) -> None:
    """Add the overview and the thread that measures ranges."""
    add(
        made,
        f"{_MAP}.GlobalMap",
        scale=0.1,
        buttonText="",
        icon="/images/overview.gif",
        tooltip=say("exporters.vassal.overview"),
    )
    add(
        made,
        f"{_MAP}.LOS_Thread",
        threadName="thread",
        label="",
        tooltip=say("exporters.vassal.thread"),
        iconName="/images/thread.gif",
        hotkey="76,195",
        report="$FromLocation$ → $ToLocation$: $Range$",
        persistence="Ctrl-Click & Drag",
        global_="Always",
        snapStart=True,
        snapEnd=True,
        drawRange=True,
        losThickness=2,
        threadColor="200,0,0",
    )
