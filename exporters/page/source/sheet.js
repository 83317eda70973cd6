// The map on a canvas: tiles, what is marked on it, and fingers that move it.
import { stored } from "./unpack.js";

const TILE = 512;
const PAD = 1;
const MOST_TILES = 120; // decoded pictures that are kept
const TAP_PX = 12; // a finger that moves less than this taps

export class Sheet {
  constructor(canvas, onTap) {
    Object.assign(this, { canvas, onTap, map: null, scale: 1, x: 0, y: 0, marks: [], cursor: null, tiles: new Map(), fingers: new Map(), due: false });
    this.pen = canvas.getContext("2d");
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => this.up(event));
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY / 400), event.offsetX, event.offsetY);
    }, { passive: false });
    new ResizeObserver(() => this.resize()).observe(canvas);
  }

  show(map, number) {
    Object.assign(this, { map, number, marks: [], cursor: null });
    this.tiles.clear();
    this.resize();
    this.fit([]);
  }

  resize() {
    const box = this.canvas.getBoundingClientRect();
    const dots = Math.min(devicePixelRatio || 1, 3);
    if (box.width === this.width && box.height === this.height && dots === this.dots) return;
    const { middle } = this;
    const had = this.width > 0;
    Object.assign(this, { width: box.width, height: box.height, dots });
    this.canvas.width = Math.round(box.width * this.dots);
    this.canvas.height = Math.round(box.height * this.dots);
    if (had) this.centre(middle);
    this.draw();
  }

  // Pixels of the sheet by axial coordinates, and back.
  place(q, r) {
    const [a, b, c, d, e, f, g, h, i] = this.map.matrix;
    const w = g * q + h * r + i;
    return [(a * q + b * r + c) / w, (d * q + e * r + f) / w];
  }

  hexAt(x, y) {
    const [a, b, c, d, e, f, g, h, i] = this.map.matrix;
    const back = [e * i - f * h, c * h - b * i, b * f - c * e, f * g - d * i, a * i - c * g, c * d - a * f, d * h - e * g, b * g - a * h, a * e - b * d];
    const w = back[6] * x + back[7] * y + back[8];
    const q = (back[0] * x + back[1] * y + back[2]) / w;
    const r = (back[3] * x + back[4] * y + back[5]) / w;
    let [rq, rr] = [Math.round(q), Math.round(r)];
    const rs = Math.round(-q - r);
    const [dq, dr, ds] = [Math.abs(rq - q), Math.abs(rr - r), Math.abs(rs + q + r)];
    if (dq > dr && dq > ds) rq = -rr - rs;
    else if (dr > ds) rr = -rq - rs;
    return this.map.byPlace.get(`${rq},${rr}`);
  }

  corners(q, r) {
    const third = 1 / 3;
    return [[2, -1], [1, 1], [-1, 2], [-2, 1], [-1, -1], [1, -2]].map(([x, y]) => this.place(q + x * third, r + y * third));
  }

  get pitch() {
    const [x, y] = this.map.hexes[0].at;
    const [one, other] = [this.place(x, y), this.place(x + 1, y)];
    return Math.hypot(one[0] - other[0], one[1] - other[1]);
  }

  down(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    if (this.fingers.size === 1) this.tapping = { x: event.offsetX, y: event.offsetY };
    else this.tapping = null;
  }

  move(event) {
    const finger = this.fingers.get(event.pointerId);
    if (!finger) return;
    const others = [...this.fingers].filter(([id]) => id !== event.pointerId).map(([, one]) => one);
    if (this.tapping && Math.hypot(event.offsetX - this.tapping.x, event.offsetY - this.tapping.y) > TAP_PX) this.tapping = null;
    if (others.length) {
      const before = Math.hypot(finger.x - others[0].x, finger.y - others[0].y);
      const after = Math.hypot(event.offsetX - others[0].x, event.offsetY - others[0].y);
      if (before > 0) this.zoom(after / before, (event.offsetX + others[0].x) / 2, (event.offsetY + others[0].y) / 2);
    }
    if (!this.tapping) {
      const share = others.length ? 2 : 1; // of two fingers each moves the middle half as far
      this.x -= (event.offsetX - finger.x) / this.scale / share;
      this.y -= (event.offsetY - finger.y) / this.scale / share;
    }
    Object.assign(finger, { x: event.offsetX, y: event.offsetY });
    this.draw();
  }

  up(event) {
    if (!this.fingers.delete(event.pointerId) || event.type !== "pointerup") return;
    if (this.tapping && !this.fingers.size) {
      const hex = this.hexAt(this.x + event.offsetX / this.scale, this.y + event.offsetY / this.scale);
      if (hex !== undefined) this.onTap(hex);
    }
    this.tapping = null;
  }

  zoom(factor, x = this.width / 2, y = this.height / 2) {
    const { width, height } = this.map.levels[0];
    const least = Math.min(this.width / width, this.height / height, 1) * 0.8;
    const scale = Math.min(Math.max(this.scale * factor, least), 4);
    this.x += x / this.scale - x / scale;
    this.y += y / this.scale - y / scale;
    this.scale = scale;
    this.draw();
  }

  get middle() {
    return [this.x + this.width / 2 / this.scale, this.y + this.height / 2 / this.scale];
  }

  centre([x, y]) {
    Object.assign(this, { x: x - this.width / 2 / this.scale, y: y - this.height / 2 / this.scale });
    this.draw();
  }

  // Show all these hexes at once; without any, the whole map.
  fit(hexes) {
    const { width, height } = this.map.levels[0];
    const points = hexes.map((hex) => this.place(...this.map.hexes[hex].at));
    const all = points.length ? points : [[0, 0], [width, height]];
    const low = [0, 1].map((i) => Math.min(...all.map((point) => point[i])));
    const high = [0, 1].map((i) => Math.max(...all.map((point) => point[i])));
    const room = points.length ? 3 * this.pitch : 0;
    this.scale = Math.min(points.length ? 1 : 4, this.width / (high[0] - low[0] + room), this.height / (high[1] - low[1] + room));
    this.centre([0, 1].map((i) => (low[i] + high[i]) / 2));
  }

  // Fit only where something lies outside, or is too small for a finger.
  bring(hexes) {
    this.resize(); // the panel may just have grown
    const half = this.pitch / 2;
    const hidden = hexes.some((hex) => {
      const [x, y] = this.place(...this.map.hexes[hex].at);
      return (x - half - this.x) * this.scale < 0 || (y - half - this.y) * this.scale < 0 || (x + half - this.x) * this.scale > this.width || (y + half - this.y) * this.scale > this.height;
    });
    if (hexes.length && (hidden || this.pitch * this.scale < 20)) this.fit(hexes);
  }

  onScreen(hex) {
    const [x, y] = this.place(...this.map.hexes[hex].at);
    const box = this.canvas.getBoundingClientRect();
    return [box.left + (x - this.x) * this.scale, box.top + (y - this.y) * this.scale];
  }

  mark(marks) {
    this.marks = marks;
    this.draw();
  }

  draw() {
    if (this.due || !this.map || !this.width) return;
    this.due = true;
    requestAnimationFrame(() => { this.due = false; this.paint(); });
  }

  paint() {
    const { pen, dots } = this;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    this.lastTile = this.paintTiles();
    pen.setTransform(dots * this.scale, 0, 0, dots * this.scale, -this.x * dots * this.scale, -this.y * dots * this.scale);
    for (const mark of this.marks) this[mark.draw](mark);
    if (this.cursor !== null) this.ring(this.cursor);
  }

  // The level whose pixels are next above those of the screen; a coarser one until it is there.
  paintTiles() {
    const { levels } = this.map;
    const wanted = Math.max(0, Math.min(levels.length - 1, Math.floor(Math.log2(1 / (this.scale * this.dots)) + 0.3)));
    for (let level = levels.length - 1; level >= wanted; level -= 1)
      if (level === wanted || level === levels.length - 1) this.paintLevel(level);
    return wanted;
  }

  paintLevel(level) {
    const { width, height, columns } = this.map.levels[level];
    const whole = this.map.levels[0];
    const [sx, sy] = [(whole.width / width) * this.scale * this.dots, (whole.height / height) * this.scale * this.dots];
    const [left, top] = [this.x * this.scale * this.dots, this.y * this.scale * this.dots];
    const first = [Math.floor(left / sx / TILE), Math.floor(top / sy / TILE)].map((one) => Math.max(0, one));
    const last = [Math.ceil((left + this.canvas.width) / sx / TILE), Math.ceil((top + this.canvas.height) / sy / TILE)];
    const rows = Math.ceil(height / TILE);
    for (let row = first[1]; row < Math.min(rows, last[1]); row += 1)
      for (let column = first[0]; column < Math.min(columns, last[0]); column += 1) {
        const picture = this.tile(level, row * columns + column);
        if (!picture) continue;
        const [px, py] = [column ? PAD : 0, row ? PAD : 0];
        const [w, h] = [Math.min(TILE, width - column * TILE), Math.min(TILE, height - row * TILE)];
        const [x0, y0] = [Math.round(column * TILE * sx - left), Math.round(row * TILE * sy - top)];
        const [x1, y1] = [Math.round((column * TILE + w) * sx - left), Math.round((row * TILE + h) * sy - top)];
        this.pen.drawImage(picture, px, py, w, h, x0, y0, x1 - x0, y1 - y0);
      }
  }

  tile(level, at) {
    const name = `tile-${this.number}-${level}-${at}`;
    const known = this.tiles.get(name);
    if (known) return known.complete && known.naturalWidth ? known : null;
    const picture = new Image();
    picture.onload = () => this.draw();
    picture.src = `data:image/webp;base64,${stored(name)}`;
    this.tiles.set(name, picture);
    if (this.tiles.size > MOST_TILES) this.tiles.delete(this.tiles.keys().next().value);
    return null;
  }

  outline(hex) {
    const [first, ...others] = this.corners(...this.map.hexes[hex].at);
    this.pen.moveTo(...first);
    for (const corner of others) this.pen.lineTo(...corner);
    this.pen.closePath();
  }

  // A shade over the whole sheet but these hexes.
  veil({ but, opacity }) {
    const { pen } = this;
    const { width, height } = this.map.levels[0];
    pen.beginPath();
    pen.rect(0, 0, width, height);
    for (const hex of but) this.outline(hex);
    pen.globalAlpha = opacity;
    pen.fillStyle = "#000";
    pen.fill("evenodd");
    pen.globalAlpha = 1;
  }

  // Where the keys stand.
  ring(hex) {
    const { pen } = this;
    for (const [width, paint] of [[6, "#fff"], [3, "#000"]]) {
      pen.beginPath();
      this.outline(hex);
      pen.lineWidth = width / this.scale;
      pen.strokeStyle = paint;
      pen.stroke();
    }
  }

  hex({ hex, colour, opacity = 0.35, edge = true }) {
    const { pen } = this;
    pen.beginPath();
    this.outline(hex);
    pen.globalAlpha = opacity;
    pen.fillStyle = pen.strokeStyle = colour;
    pen.fill();
    pen.globalAlpha = 1;
    pen.lineWidth = 2.5 / this.scale;
    if (edge) pen.stroke();
  }

  line({ from, to, colour }) {
    const { pen } = this;
    pen.lineCap = "round";
    for (const [width, paint] of [[8, "#fff"], [4.5, colour]]) {
      pen.beginPath();
      pen.moveTo(...this.place(...from));
      pen.lineTo(...this.place(...to));
      pen.lineWidth = width / this.scale;
      pen.strokeStyle = paint;
      pen.stroke();
    }
  }

  side({ one, other, colour }) {
    const { pen } = this;
    const mine = this.corners(...this.map.hexes[one].at);
    const theirs = this.corners(...this.map.hexes[other].at);
    const shared = mine.filter(([x, y]) => theirs.some(([u, v]) => Math.hypot(x - u, y - v) < this.pitch / 50));
    if (shared.length < 2) return;
    pen.beginPath();
    pen.moveTo(...shared[0]);
    pen.lineTo(...shared[1]);
    pen.lineWidth = 7 / this.scale;
    pen.strokeStyle = colour;
    pen.stroke();
  }
}
