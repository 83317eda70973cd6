"use strict";
// The page draws what a ruling says and decides nothing itself: all it shows is in the ruling's JSON.

const NS = "http://www.w3.org/2000/svg";
const COLOURS = { good: "#2e7d32", bad: "#d7263d", open: "#a86a00", own: "#1b6ec2" };
const GOOD = ["clear", "in_supply", "field"];
const OPEN = ["unknown", "no_rule"];
const TAPS = { sight: 2, field: 1, supply: 1 }; // hexes a question needs
const MARKED = ["supply"]; // judges that want to know who stands about
const FINGER = 24; // pixels: hexes narrower than this are not hit by a finger

const at = (id) => document.getElementById(id);
const state = {
  table: null, judge: "", tapped: [], units: [], marking: "", zoom: 1, asked: 0, waiting: true, shown: null,
};

async function start() {
  state.table = await (await fetch("/table.json")).json();
  const { title, game, language, words, judges, sides, weather, classes, width, height } = state.table;
  document.documentElement.lang = language;
  document.title = at("title").textContent = `${title} · ${game}`;
  for (const one of document.querySelectorAll("[data-word]")) one.textContent = words[one.dataset.word];
  for (const judge of judges) at("judges").append(button(words[judge], () => choose(judge), judge));
  fill("side", sides);
  fill("weather", { "": words.usual_weather, ...weather });
  fill("class", { "": words.any_unit, ...classes });
  const named = { out: "smaller", in: "larger", fit: "show_all", class: "class", side: "side", weather: "weather" };
  for (const [id, word] of Object.entries(named)) Object.assign(at(id), { title: words[word], ariaLabel: words[word] });
  at("weather-choice").hidden = Object.keys(weather).length === 0;
  at("over").setAttribute("viewBox", `0 0 ${width} ${height}`);
  listen();
  await fromAddress();
}

function fill(id, choices) {
  for (const [value, name] of Object.entries(choices)) at(id).append(new Option(name, value));
}

function listen() {
  at("sheet").addEventListener("click", tap);
  at("in").addEventListener("click", () => zoom(1.4));
  at("out").addEventListener("click", () => zoom(1 / 1.4));
  at("fit").addEventListener("click", () => fit(places(state.shown)));
  at("again").addEventListener("click", () => {
    Object.assign(state, { tapped: [], units: [], marking: "" });
    history.replaceState(null, "", location.pathname);
    ask();
  });
  for (const id of ["enemy", "friend"])
    at(id).addEventListener("click", () => { state.marking = state.marking === id ? "" : id; show(state.shown); });
  for (const id of ["side", "weather"]) at(id).addEventListener("change", ask);
}

// An address can hold the question, so that a dispute can be sent to a friend: ?judge=sight&a=…&b=…
async function fromAddress() {
  const query = new URLSearchParams(location.search);
  const { judges, sides, weather } = state.table;
  state.judge = judges.includes(query.get("judge")) ? query.get("judge") : judges[0] || "";
  // Each end keeps its place: with a wrong first hex, the second must not become the observer.
  state.tapped = ["a", "b"].map((end) => query.get(end)).filter(Boolean).slice(0, TAPS[state.judge]);
  state.units = ["enemy", "friend"].flatMap((side) => query.getAll(side).map((text) => unit(side, text)));
  if (query.get("side") in sides) at("side").value = query.get("side");
  if (query.get("weather") in weather) at("weather").value = query.get("weather");
  zoom(1);
  lookAt([state.table.width / 2, state.table.height / 2]);
  await ask();
}

function unit(side, text) {
  const [hex, kind = ""] = text.split(":");
  return { side, hex, kind };
}

function choose(judge) {
  Object.assign(state, { judge, tapped: state.tapped.slice(0, 1), marking: "" });
  ask();
}

function tap(event) {
  const box = at("sheet").getBoundingClientRect();
  const label = nearest((event.clientX - box.left) / state.zoom, (event.clientY - box.top) / state.zoom);
  if (!label) return;
  if (state.marking) {
    const others = state.units.filter((one) => one.hex !== label);
    const known = others.length < state.units.length;
    state.units = known ? others : [...others, { side: state.marking, hex: label, kind: at("class").value }];
  } else if (TAPS[state.judge] === 1 || state.tapped.length !== 1 || state.tapped[0] === label) {
    state.tapped = [label];
  } else {
    state.tapped = [state.tapped[0], label];
  }
  ask();
}

function nearest(x, y) {
  let best = null;
  let least = (state.table.pitch * 0.62) ** 2;
  for (const [label, [hx, hy]] of Object.entries(state.table.hexes)) {
    const far = (hx - x) ** 2 + (hy - y) ** 2;
    if (far < least) [best, least] = [label, far];
  }
  return best;
}

async function ask() {
  const mine = (state.asked += 1);
  if (!state.judge || state.tapped.length < TAPS[state.judge]) return show(null);
  wait();
  const query = new URLSearchParams({ a: state.tapped[0] });
  if (state.judge === "sight") query.set("b", state.tapped[1]);
  if (MARKED.includes(state.judge)) {
    query.set("side", at("side").value);
    for (const { side, hex, kind } of state.units) query.append(side, kind ? `${hex}:${kind}` : hex);
  }
  if (at("weather").value) query.set("weather", at("weather").value);
  let ruling;
  try {
    ruling = await (await fetch(`/ask/${state.judge}?${query}`)).json();
  } catch {
    ruling = { error: state.table.words.offline };
  }
  if (mine !== state.asked) return; // a later tap has asked something else
  history.replaceState(null, "", `?judge=${state.judge}&${query}`);
  show(ruling);
  const hidden = places(ruling).some((place) => !inView(place)); // the answer takes room from the map
  if (hidden || state.zoom * state.table.pitch < FINGER) fit(places(ruling));
}

// A tap is felt at once; the old answer fades until the new one is there.
function wait() {
  state.waiting = true;
  at("answer").classList.add("waiting");
  controls();
  draw(null);
}

function show(ruling) {
  const { words } = state.table;
  Object.assign(state, { shown: ruling, waiting: false });
  at("answer").classList.remove("waiting");
  controls();
  at("verdict").className = tone(ruling);
  at("verdict").textContent = ruling ? ruling.error ? `${words.refused} ${ruling.error}` : ruling.reasons[0].text : "";
  at("told").replaceChildren(...(ruling && !ruling.error ? told(ruling, words) : []));
  draw(ruling);
}

function controls() {
  for (const one of at("judges").children) one.setAttribute("aria-pressed", one.value === state.judge);
  for (const id of ["enemy", "friend"]) at(id).setAttribute("aria-pressed", state.marking === id);
  at("marks").hidden = at("side-choice").hidden = !MARKED.includes(state.judge);
  at("class").hidden = !state.marking;
  at("hint").textContent = hint(state.table.words);
}

function told(ruling, words) {
  const said = new Set(ruling.reasons.map((reason) => reason.text));
  const why = ruling.reasons.slice(1).map((reason) => made("p", reason.text, "why"));
  const missing = ruling.missing.filter((text) => !said.has(text)).map((text) => made("p", text));
  const open = ruling.assumptions.map((id) => {
    const { question, answer } = state.table.assumptions[id];
    const entry = Object.assign(made("p", question), { id: `open-${id}` });
    entry.append(" ", made("b", words.we_assume), ` ${answer}`);
    return entry;
  });
  const [opened] = fold(words.open_points, open);
  if (opened) opened.addEventListener("toggle", () => weigh(opened), { once: true });
  const name = (value) => state.table.values[value] || value;
  const rests = ruling.rests_on.map((one) =>
    made("p", `${one.place}: ${name(one.value)} ${name(one.is)}${one.doubtful ? " – ?" : ""}${one.flips ? ` – ${words.flips}` : ""}`));
  return [
    ...why,
    ...fold(words.missing, missing, OPEN.includes(ruling.verdict)),
    ...(opened ? [opened] : []),
    ...fold(words.rests_on, rests, ruling.rests_on.some((one) => one.flips)),
  ];
}

// Says of each open point whether another answer would change this ruling; the table tries them.
async function weigh(opened) {
  const { words, assumptions } = state.table;
  const found = await (await fetch(`/bearing/${state.judge}${location.search}`)).json();
  for (const [id, answers] of Object.entries(found)) {
    const entry = document.getElementById(`open-${id}`);
    if (!entry || !answers) continue; // another question since, or nobody can tell
    const changed = answers.map((answer) => assumptions[id].others[answer]).join(" / ");
    entry.append(" ", made("em", answers.length ? `${words.would_change} ${changed}` : words.changes_nothing));
    entry.classList.add(answers.length ? "changes" : "idle");
    if (answers.length) opened.querySelector("summary").after(entry);
  }
}

function fold(title, entries, open = false) {
  if (!entries.length) return [];
  const folded = Object.assign(made("details", ""), { open });
  folded.append(made("summary", `${title} (${entries.length})`), ...entries);
  return [folded];
}

function made(name, text, kind = "") {
  const element = document.createElement(name);
  element.textContent = text;
  element.className = kind;
  return element;
}

function hint(words) {
  if (state.marking) return words[`tap_${state.marking}`];
  if (state.judge === "supply") return state.tapped.length ? words.hint_supply : words.tap_unit;
  return state.tapped.length >= TAPS[state.judge] ? words.hint_sight : [words.tap_observer, words.tap_target][state.tapped.length];
}

function tone(ruling) {
  if (!ruling || ruling.error || OPEN.includes(ruling.verdict)) return "open";
  return GOOD.includes(ruling.verdict) ? "good" : "bad";
}

const blocking = (ruling) => (ruling.blocked_by || []).flatMap((place) => place.split("/"));
const culprits = (ruling) => (ruling.culprits || []).flat().map((name) => name.split(/[:+ ]/)[0]);

// All hexes of a question and its answer, as points of the sheet.
function places(ruling) {
  const answered = ruling && !ruling.error
    ? [...blocking(ruling), ...culprits(ruling), ...(ruling.path || []).map((step) => step.hex), ...(ruling.sees || []), ...(ruling.unknown || [])]
    : [];
  return [...state.tapped, ...answered].map((label) => state.table.hexes[label]).filter(Boolean);
}

function draw(ruling) {
  at("over").replaceChildren();
  const answered = ruling && !ruling.error ? ruling : {};
  const colour = COLOURS[tone(ruling)];
  for (const label of answered.sees || []) hex(label, COLOURS.good, 0.35);
  for (const label of answered.unknown || []) hex(label, COLOURS.open, 0.35);
  if (MARKED.includes(state.judge))
    for (const { side, hex: label } of state.units) hex(label, side === "enemy" ? COLOURS.bad : COLOURS.own, 0.3);
  for (const label of blocking(answered)) hex(label, COLOURS.bad, 0.45);
  for (const label of state.tapped) hex(label, COLOURS.own, 0.45);
  if (answered.question === "sight") line(state.tapped, colour);
  if (answered.path && answered.path.length > 1) line(answered.path.map((step) => step.hex), colour);
  for (const label of new Set(culprits(answered))) ring(label);
}

function hex(label, colour, opacity) {
  const centre = state.table.hexes[label];
  if (!centre) return;
  const first = state.table.orientation === "pointy" ? 30 : 0;
  const radius = state.table.pitch / Math.sqrt(3);
  const corners = [0, 60, 120, 180, 240, 300].map((turn) => {
    const angle = ((first + turn) * Math.PI) / 180;
    return `${centre[0] + radius * Math.cos(angle)},${centre[1] + radius * Math.sin(angle)}`;
  });
  mark("polygon", { points: corners.join(" "), fill: colour, "fill-opacity": opacity, stroke: colour, "stroke-width": 3 });
}

function ring(label) {
  const centre = state.table.hexes[label];
  if (!centre) return;
  for (const [width, paint] of [[11, "#fff"], [7, COLOURS.bad]])
    mark("circle", { cx: centre[0], cy: centre[1], r: state.table.pitch * 0.42, fill: "none", stroke: paint, "stroke-width": width });
}

function line(labels, colour) {
  const points = labels.map((label) => state.table.hexes[label]).filter(Boolean).map((point) => point.join(","));
  for (const [width, paint] of [[9, "#fff"], [5, colour]])
    mark("polyline", { points: points.join(" "), fill: "none", stroke: paint, "stroke-width": width, "stroke-linecap": "round", "stroke-linejoin": "round" });
}

function mark(name, values) {
  const drawn = document.createElementNS(NS, name);
  values["vector-effect"] = "non-scaling-stroke"; // a line stays as wide where the map is small
  for (const [key, value] of Object.entries(values)) drawn.setAttribute(key, value);
  at("over").append(drawn);
}

function zoom(factor) {
  const view = at("view");
  const before = [(view.scrollLeft + view.clientWidth / 2) / state.zoom, (view.scrollTop + view.clientHeight / 2) / state.zoom];
  state.zoom = Math.min(Math.max(state.zoom * factor, 0.1), 4);
  at("sheet").style.width = `${state.table.width * state.zoom}px`;
  at("sheet").style.height = `${state.table.height * state.zoom}px`;
  lookAt(before);
}

function inView([x, y]) {
  const view = at("view");
  const half = (state.table.pitch * state.zoom) / 2; // the whole hex, not just its centre
  const left = x * state.zoom - view.scrollLeft;
  const top = y * state.zoom - view.scrollTop;
  return left >= half && top >= half && left <= view.clientWidth - half && top <= view.clientHeight - half;
}

// Show all these places at once, also on a phone; without any, the whole map.
function fit(points) {
  const view = at("view");
  const { width, height, pitch } = state.table;
  const all = points.length ? points : [[0, 0], [width, height]];
  const low = [0, 1].map((i) => Math.min(...all.map((point) => point[i])));
  const high = [0, 1].map((i) => Math.max(...all.map((point) => point[i])));
  const room = points.length ? 3 * pitch : 0;
  const wanted = Math.min(1, view.clientWidth / (high[0] - low[0] + room), view.clientHeight / (high[1] - low[1] + room));
  zoom(wanted / state.zoom);
  lookAt([0, 1].map((i) => (low[i] + high[i]) / 2));
}

function lookAt([x, y]) {
  const view = at("view");
  view.scrollLeft = x * state.zoom - view.clientWidth / 2;
  view.scrollTop = y * state.zoom - view.clientHeight / 2;
}

function button(text, action, value) {
  const pressed = document.createElement("button");
  Object.assign(pressed, { type: "button", textContent: text, value });
  pressed.addEventListener("click", action);
  return pressed;
}

start();
