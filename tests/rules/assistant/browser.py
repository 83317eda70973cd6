"""A real browser without a window, told what to do over a pipe as its developer tools would."""

import base64
import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

# Counts the clicks that the page has felt, from the first time it is asked.
_CLICKS = """(window.felt ??= (() => {
    const felt = { n: 0 };
    addEventListener('click', () => { felt.n += 1; }, true);
    return felt;
})()).n"""


class Browser:
    """One page of a headless Chromium: it can be opened, touched, asked and photographed."""

    def __init__(self, program: str, profile: Path, width: int, height: int) -> None:
        self._read, theirs_out = os.pipe()
        theirs_in, self._write = os.pipe()
        size = f"--window-size={width},{height}"
        # Chromium listens on 3 and answers on 4; a shell puts the pipes there.
        start = f'exec "$0" "$@" 3<&{theirs_in} 4>&{theirs_out}'
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", size]
        self._process = subprocess.Popen(
            ["bash", "-c", start, program, *flags, f"--user-data-dir={profile}", "about:blank"],
            pass_fds=(theirs_in, theirs_out),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._numbers, self._left, self._session = 0, b"", ""
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        attached = self.send("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        screen = {"width": width, "height": height, "deviceScaleFactor": 1}
        self.send("Emulation.setDeviceMetricsOverride", **screen, mobile=width < 600)
        self.send("Emulation.setTouchEmulationEnabled", enabled=True)

    def open(self, address: str) -> None:
        """Open an address and wait until its table is laid out."""
        self.send("Page.navigate", url=address)
        self.wait("typeof state === 'object' && state.table && !state.waiting")

    def wait(self, condition: str) -> None:
        """Wait until an expression of the page is true."""
        poll = f"""new Promise((done, failed) => {{
            const until = Date.now() + 20000;
            (function look() {{
                if ({condition}) done(true);
                else if (Date.now() > until) failed(new Error('never came true'));
                else setTimeout(look, 20);
            }})();
        }})"""
        assert self.ask(poll) is True, condition

    def ask(self, expression: str) -> Any:
        """Return the value of an expression of the page."""
        found = self.send(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def touch(self, x: float, y: float) -> None:
        """Touch the glass with a finger, lift it, and wait until the page has felt and answered."""
        before = self.ask(_CLICKS)
        for kind, points in (("touchStart", [{"x": x, "y": y}]), ("touchEnd", [])):
            self.send("Input.dispatchTouchEvent", type=kind, touchPoints=points)
        self.wait(f"{_CLICKS} > {before} && !state.waiting")

    def touch_hex(self, label: str) -> None:
        """Touch a hex of the map; it must lie on the screen."""
        x, y, inside = self.ask(f"""(() => {{
            const [hx, hy] = state.table.hexes['{label}'];
            const box = at('sheet').getBoundingClientRect();
            const [x, y] = [box.left + hx * state.zoom, box.top + hy * state.zoom];
            return [x, y, at('sheet').contains(document.elementFromPoint(x, y))];
        }})()""")
        assert inside, f"{label} is not on the screen"
        self.touch(x, y)

    def press(self, selector: str) -> None:
        """Touch the middle of a button or the like."""
        x, y = self.ask(f"""(() => {{
            const one = document.querySelector('{selector}');
            one.scrollIntoView({{ block: 'nearest' }});
            const box = one.getBoundingClientRect();
            return [box.left + box.width / 2, box.top + box.height / 2];
        }})()""")
        self.touch(x, y)

    def photograph(self, file: Path) -> None:
        """Save what the screen shows."""
        file.write_bytes(base64.b64decode(self.send("Page.captureScreenshot")["data"]))

    def close(self) -> None:
        """End the browser."""
        self._process.terminate()
        self._process.wait(timeout=20)
        os.close(self._read)
        os.close(self._write)

    def send(self, method: str, **values: object) -> dict[str, Any]:
        """Send one order and return what comes back for it."""
        self._numbers += 1
        order: dict[str, object] = {"id": self._numbers, "method": method, "params": values}
        if self._session:
            order["sessionId"] = self._session
        os.write(self._write, json.dumps(order).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._numbers:
                assert "error" not in answer, answer
                found: dict[str, Any] = answer["result"]
                return found

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._left:
            more = os.read(self._read, 1 << 16)
            assert more, "the browser has gone"
            self._left += more
        whole, _, self._left = self._left.partition(b"\0")
        found: dict[str, Any] = json.loads(whole)
        return found


@contextmanager
def browser(program: str, profile: Path, width: int, height: int) -> Iterator[Browser]:
    """Open a browser with a screen of some size, for as long as it is needed."""
    opened = Browser(program, profile, width, height)
    try:
        yield opened
    finally:
        opened.close()
