// The map by keys: arrows go from hex to hex, Enter touches one, plus and minus zoom.

const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
const AROUND = [[1, 0], [1, -1], [0, -1], [-1, 0], [-1, 1], [0, 1]];
const ZOOMS = { "+": 1.5, "-": 1 / 1.5 };

export function steered(sheet, onTap, onMoved) {
  sheet.canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in ARROWS) moved(sheet, ARROWS[event.key], onMoved);
    else if (event.key in ZOOMS) sheet.zoom(ZOOMS[event.key]);
    else if ((event.key === "Enter" || event.key === " ") && sheet.cursor !== null) onTap(sheet.cursor);
    else return;
    event.preventDefault();
  });
  sheet.canvas.addEventListener("blur", () => { sheet.cursor = null; sheet.draw(); });
}

function moved(sheet, arrow, onMoved) {
  const next = sheet.cursor === null ? nearest(sheet) : beside(sheet, arrow);
  if (next === undefined) return;
  sheet.cursor = next;
  sheet.bring([next]);
  sheet.draw();
  onMoved(next);
}

function nearest(sheet) {
  const [x, y] = sheet.middle;
  const far = sheet.map.hexes.map(({ at }) => sheet.place(...at)).map(([u, v]) => Math.hypot(u - x, v - y));
  return far.indexOf(Math.min(...far));
}

// The neighbour that lies most in the direction of the arrow; where two do, they take turns.
function beside(sheet, [x, y]) {
  const [q, r] = sheet.map.hexes[sheet.cursor].at;
  const [here, there] = [sheet.place(q, r), AROUND.map(([a, b]) => sheet.place(q + a, r + b))];
  const along = there.map(([u, v]) => ((u - here[0]) * x + (v - here[1]) * y) / Math.hypot(u - here[0], v - here[1]));
  const most = Math.max(...along);
  const best = AROUND.filter((_, number) => most - along[number] < 0.1).map(([a, b]) => sheet.map.byPlace.get(`${q + a},${r + b}`)).filter((hex) => hex !== undefined);
  const odd = Math.abs(x ? q : r) % 2;
  return best[odd] ?? best[0];
}
