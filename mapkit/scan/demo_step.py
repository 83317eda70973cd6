"""The demo's first step: the shipped scan of the sample map is read with its printed legend."""

import shutil
from importlib.resources import as_file, files
from pathlib import Path

from mapkit.demo import DemoFile, DemoStep
from mapkit.progress import OnProgress
from mapkit.texts import say

NAME = "alpine-flatbed"


def _scan(folder: Path, on_progress: OnProgress) -> list[DemoFile]:
    """Read the scan as anybody would, and only then compare with what is true of it."""
    from mapkit.maps import load_map
    from mapkit.scan.accuracy import measure
    from mapkit.scan.accuracy_report import told
    from mapkit.scan.report import write_report
    from mapkit.scan.scan_files import ScanJob, run_scan

    picture, legend = folder / f"{NAME}.jpg", folder / f"{NAME}.legend.toml"
    data = files("sample_maps") / "data"
    for target in (picture, legend):
        with as_file(data / "pictures" / target.name) as source:
            shutil.copyfile(source, target)
    job = ScanJob((picture,), folder / f"{NAME}.hexmap.json", legend=legend)
    done = run_scan(job, on_progress=on_progress)
    report, *_ = write_report(
        folder / "scan-report", done.scanned, done.map_, map_file=done.map_file
    )
    with as_file(data / "alpine.hexmap.json") as source:
        truth = load_map(source)
    accuracy = folder / f"{NAME}-accuracy.txt"
    accuracy.write_text(told(measure(done.map_, truth)) + "\n", "utf-8")
    show = say("mapkit.tour.open_map", command=f'mapkit map show "{done.map_file}"')
    text = say("mapkit.tour.open_text")
    return [
        DemoFile(picture, say("mapkit.tour.scan_picture"), say("mapkit.tour.open_picture")),
        DemoFile(legend, say("mapkit.tour.scan_legend"), text),
        DemoFile(done.map_file, say("mapkit.tour.scan_map", n=len(done.map_.hexes)), show),
        DemoFile(report, say("mapkit.tour.scan_report"), say("mapkit.tour.open_page")),
        DemoFile(accuracy, say("mapkit.tour.scan_accuracy"), text),
    ]


SCAN = DemoStep(5, "mapkit.tour.scan", _scan, weight=60)
