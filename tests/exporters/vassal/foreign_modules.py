"""A module as another author might write it: his own names, formats, numbering and keys."""

import io
import zipfile
from xml.sax.saxutils import quoteattr

from PIL import Image

from exporters.vassal.sequence import TAB, nest

SIZE = (700, 600)
PROTOTYPE = nest(TAB, ["mark;Type", "delete;Delete;68,130;", "piece;;;;"])
STATES = nest(TAB, ["Inf", "", "null;0;0;;0"])


def build_file(
    *,
    sideways=False,
    grid_format="$gridLocation$",
    zone_format=None,
    name="Old Hills",
    viewer="",
    viewer_version="4",
    viewer_paper="",
    h_off=0,
):
    """Lines are numbered from one before the first, odd ones one higher: the engine's stagger."""
    grid = (
        f'<VASSAL.build.module.map.boardPicker.board.HexGrid x0="-31" y0="17" dx="62.4" dy="71.5"'
        f' sideways="{str(sideways).lower()}" snapTo="true" edgesLegal="true">'
        f"<VASSAL.build.module.map.boardPicker.board.mapgrid.HexGridNumbering"
        f' first="{"V" if sideways else "H"}" sep="" hType="N" hLeading="1" hOff="{h_off}"'
        ' hDescend="false" vType="N" vLeading="1" vOff="0" vDescend="false" stagger="true"'
        f" locationFormat={quoteattr(grid_format)}/>"
        "</VASSAL.build.module.map.boardPicker.board.HexGrid>"
    )
    if zone_format is not None:
        zone = (
            '<VASSAL.build.module.map.boardPicker.board.mapgrid.Zone name="Field"'
            f" locationFormat={quoteattr(zone_format)} useParentGrid='true'"
            f" path='0,0;{SIZE[0]},0;{SIZE[0]},{SIZE[1]};0,{SIZE[1]}'/>"
        )
        tag = "VASSAL.build.module.map.boardPicker.board.ZonedGrid"
        grid = f"<{tag}>{zone}{grid}</{tag}>"
    paper = f' bgColor="{viewer_paper}"' if viewer_paper else ""
    return f"""<?xml version="1.0"?>
<VASSAL.build.GameModule name={quoteattr(name)} version="2.3" VassalVersion="3.7.0"
  nextPieceSlotId="7" description="an old one">
<VASSAL.build.module.BasicCommandEncoder/>
<VASSAL.build.module.Documentation/>
<VASSAL.build.module.PlayerRoster/>
<VASSAL.build.module.GlobalOptions/>
<VASSAL.build.module.Chatter/>
<VASSAL.build.module.KeyNamer/>
<VASSAL.i18n.Language/>
<VASSAL.build.module.properties.GlobalProperties>
<VASSAL.build.module.properties.GlobalProperty name="SightFrom" initialValue="the author's"/>
</VASSAL.build.module.properties.GlobalProperties>
<VASSAL.build.module.PrototypesContainer>
<VASSAL.build.module.PrototypeDefinition name="Sight">+/null/{PROTOTYPE}/{STATES}</VASSAL.build.module.PrototypeDefinition>
</VASSAL.build.module.PrototypesContainer>
<VASSAL.build.module.Map mapName="The Hills: main" edgeWidth="40" edgeHeight="25" markMoved="Never">
<VASSAL.build.module.map.BoardPicker><setup>The Hills: mainBoardPicker\tHills\t0\t0</setup>
<VASSAL.build.module.map.boardPicker.Board name="Hills" image="Board.PNG">{grid}</VASSAL.build.module.map.boardPicker.Board>
</VASSAL.build.module.map.BoardPicker>
<VASSAL.build.module.map.StackMetrics/><VASSAL.build.module.map.ForwardToKeyBuffer/>
<VASSAL.build.module.map.MenuDisplayer/><VASSAL.build.module.map.PieceMover/>
<VASSAL.build.module.map.KeyBufferer/>
<VASSAL.build.module.map.CounterDetailViewer version="{viewer_version}" emptyHexReportForma={quoteattr(viewer)}{paper}/>
<VASSAL.build.module.map.LayeredPieceCollection property="Height" layerOrder="Low,Middle,Top"/>
</VASSAL.build.module.Map>
<VASSAL.build.module.PieceWindow name="Units" text="Units"><VASSAL.build.widget.ListWidget entryName="All">
<VASSAL.build.widget.PieceSlot entryName="1st" gpid="5" width="40" height="40">+/null/prototype;Sight\tpiece;;;unit.png;1st/\tnull;0;0;5;0</VASSAL.build.widget.PieceSlot>
</VASSAL.build.widget.ListWidget></VASSAL.build.module.PieceWindow>
</VASSAL.build.GameModule>
"""  # noqa: E501  one line of the author's each


def pack(files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def picture(size, colour):
    out = io.BytesIO()
    Image.new("RGB", size, colour).save(out, "PNG")
    return out.getvalue()


def foreign_module(*, old=False, **words):
    """Return the bytes of a module; *old* ones have no ending on their build file."""
    data = (
        '<data version="1"><version>2.3</version><extra1/><extra2/><VassalVersion>'
        f"{'3.2.17' if old else '3.7.0'}</VassalVersion><dateSaved>1</dateSaved><description/>"
        "<name>Old Hills</name></data>"
    )
    return pack(
        {
            "images/Board.PNG": picture(SIZE, "#c8d8a0"),
            "images/unit.png": picture((40, 40), "#4060a0"),
            "images/observer.png": picture((40, 40), "#a04060"),
            "buildFile" if old else "buildFile.xml": build_file(**words),
            "moduledata": data,
            "help/notes.txt": "the author's notes",
        }
    )
