"""The offline page in a real browser: opened from the disk, asked and touched."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.rules.assistant.browser import Browser, browser

PHONE, DESK = (390, 844), (1280, 800)


class OpenedPage:
    """One page, opened."""

    def __init__(self, driver: Browser, file: Path) -> None:
        self.driver, self.file = driver, file

    def open(self, address: str = "") -> None:
        """Open the file anew with a question in its address."""
        self.driver.send("Page.navigate", url="about:blank")
        self.driver.send("Page.navigate", url=f"{self.file.as_uri()}#{address}")
        self.driver.wait("globalThis.page && page.ready")

    def ask(self, expression: str) -> Any:
        """Return the value of an expression of the page."""
        return self.driver.ask(expression)

    def text(self, selector: str) -> str:
        """Return the words that an element shows."""
        return str(self.ask(f"document.querySelector({json.dumps(selector)}).innerText"))

    def touch(self, x: float, y: float) -> None:
        """Touch the glass and lift the finger."""
        for kind, points in (("touchStart", [{"x": x, "y": y}]), ("touchEnd", [])):
            self.driver.send("Input.dispatchTouchEvent", type=kind, touchPoints=points)

    def touch_hex(self, label: str) -> None:
        """Touch a hex of the map, and wait until it is marked."""
        find = f"page.sheet.map.byLabel.get({json.dumps(label)})"
        x, y = self.ask(f"page.sheet.onScreen({find})")
        name = self.ask(f"document.elementFromPoint({x}, {y})?.id")
        assert name == "sheet", f"{label} is not on the screen"
        self.touch(x, y)
        self.driver.wait(f"page.tapped.includes({find})")

    def press(self, selector: str) -> None:
        """Touch the middle of a button."""
        x, y = self.ask(f"""(() => {{
            const one = document.querySelector({json.dumps(selector)});
            one.scrollIntoView({{ block: 'nearest' }});
            const box = one.getBoundingClientRect();
            return [box.left + box.width / 2, box.top + box.height / 2];
        }})()""")
        self.touch(x, y)


@contextmanager
def opened_page(program: str, folder: Path, page: bytes, size: tuple[int, int]) -> Iterator[Any]:
    """Open a page from the disk on a screen of some size."""
    file = folder / "page.html"
    file.write_bytes(page)
    with browser(program, folder / "profile", *size) as driver:
        shown = OpenedPage(driver, file)
        shown.open()
        yield shown
