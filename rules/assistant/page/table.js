"use strict";
// The page draws what a ruling says and decides nothing itself.

const NS = "http://www.w3.org/2000/svg";
const COLOURS = { good: "#2e7d32", bad: "#d7263d", open: "#a86a00", own: "#1b6ec2" };
const GOOD = ["clear", "in_supply"];
const OPEN = ["unknown", "no_rule"];

const at = (id) => document.getElementById(id);
const state = { table: null, judge: "", tapped: [], enemies: [], marking: false, zoom: 1, asked: 0 };

async function start() {
  state.table = await (await fetch("/table.json")).json();
  const { title, game, language, words, judges, sides, weather, width } = state.table;
  document.documentElement.lang = language;
  document.title = at("title").textContent = `${title} · ${game}`;
  for (const one of document.querySelectorAll("[data-word]")) one.textContent = words[one.dataset.word];
  for (const judge of judges) at("judges").append(button(words[judge], () => choose(judge), judge));
  for (const [id, name] of Object.entries(sides)) at("side").append(new Option(name, id));
  at("weather").append(new Option(words.usual_weather, ""));
  for (const [id, name] of Object.entries(weather)) at("weather").append(new Option(name, id));
  at("weather-choice").hidden = Object.keys(weather).length === 0;
  at("over").setAttribute("viewBox", `0 0 ${width} ${state.table.height}`);
  listen();
  fromAddress();
}

function listen() {
  at("sheet").addEventListener("click", tap);
  at("in").addEventListener("click", () => zoom(1.4));
  at("out").addEventListener("click", () => zoom(1 / 1.4));
  at("again").addEventListener("click", () => { state.tapped = []; state.enemies = []; ask(); });
  at("enemy").addEventListener("click", () => { state.marking = !state.marking; show(null); });
  for (const id of ["side", "weather"]) at(id).addEventListener("change", ask);
}

// An address can hold the question, so that a dispute can be sent to a friend: ?judge=sight&a=…&b=…
async function fromAddress() {
  const query = new URLSearchParams(location.search);
  const known = (label) => label in state.table.hexes;
  state.judge = state.table.judges.includes(query.get("judge")) ? query.get("judge") : state.table.judges[0] || "";
  state.tapped = [query.get("a"), query.get("b")].filter((label) => label && known(label));
  state.enemies = query.getAll("enemy").filter(known);
  if (query.get("side") in state.table.sides) at("side").value = query.get("side");
  if (query.get("weather") in state.table.weather) at("weather").value = query.get("weather");
  zoom(1);
  await ask(); // the answer takes room from the map
  centre();
}

function choose(judge) {
  state.judge = judge;
  state.tapped = state.tapped.slice(0, 1);
  state.marking = false;
  ask();
}

function tap(event) {
  const box = at("sheet").getBoundingClientRect();
  const label = nearest((event.clientX - box.left) / state.zoom, (event.clientY - box.top) / state.zoom);
  if (!label) return;
  if (state.judge === "supply" && state.marking) {
    const known = state.enemies.includes(label);
    state.enemies = known ? state.enemies.filter((one) => one !== label) : [...state.enemies, label];
  } else if (state.judge === "supply" || state.tapped.length !== 1 || state.tapped[0] === label) {
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
  const wanted = state.judge === "sight" ? 2 : 1;
  if (!state.judge || state.tapped.length < wanted) return show(null);
  const query = new URLSearchParams({ a: state.tapped[0] });
  if (state.judge === "sight") query.set("b", state.tapped[1]);
  else query.set("side", at("side").value);
  if (state.judge === "supply") for (const label of state.enemies) query.append("enemy", label);
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
}

function show(ruling) {
  const { words } = state.table;
  for (const one of at("judges").children) one.setAttribute("aria-pressed", one.value === state.judge);
  at("enemy").hidden = at("side-choice").hidden = state.judge !== "supply";
  at("enemy").setAttribute("aria-pressed", state.marking);
  at("hint").textContent = hint(words);
  const lines = ruling ? (ruling.error || ruling.told).split("\n") : [""];
  at("verdict").textContent = lines[0];
  at("verdict").className = tone(ruling);
  at("told").replaceChildren(...lines.slice(1).map(paragraph));
  draw(ruling);
}

function paragraph(text) {
  const made = document.createElement("p");
  made.textContent = text.trim();
  if (text.startsWith(" ")) made.className = "why";
  return made;
}

function hint(words) {
  if (state.judge === "supply") {
    if (state.marking) return words.tap_enemy;
    return state.tapped.length ? words.hint_supply : words.tap_unit;
  }
  return [words.tap_observer, words.tap_target, words.hint_sight][state.tapped.length];
}

function tone(ruling) {
  if (!ruling || ruling.error || OPEN.includes(ruling.verdict)) return "open";
  return GOOD.includes(ruling.verdict) ? "good" : "bad";
}

function draw(ruling) {
  const over = at("over");
  over.replaceChildren();
  for (const label of state.enemies) if (state.judge === "supply") hex(label, COLOURS.bad, 0.45);
  for (const label of state.tapped) hex(label, COLOURS.own, 0.45);
  if (!ruling || ruling.error) return;
  const colour = COLOURS[tone(ruling)];
  if (ruling.question === "sight") line(state.tapped, colour);
  if (ruling.path && ruling.path.length > 1) line(ruling.path.map((step) => step.hex), colour);
  for (const place of ruling.blocked_by || []) for (const label of place.split("/")) hex(label, COLOURS.bad, 0.45);
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

function line(labels, colour) {
  const points = labels.map((label) => state.table.hexes[label]).filter(Boolean).map((point) => point.join(","));
  for (const [width, paint] of [[9, "#fff"], [5, colour]])
    mark("polyline", { points: points.join(" "), fill: "none", stroke: paint, "stroke-width": width, "stroke-linecap": "round", "stroke-linejoin": "round" });
}

function mark(name, values) {
  const made = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(values)) made.setAttribute(key, value);
  at("over").append(made);
}

function zoom(factor) {
  const view = at("view");
  const before = [(view.scrollLeft + view.clientWidth / 2) / state.zoom, (view.scrollTop + view.clientHeight / 2) / state.zoom];
  state.zoom = Math.min(Math.max(state.zoom * factor, 0.2), 4);
  at("sheet").style.width = `${state.table.width * state.zoom}px`;
  at("sheet").style.height = `${state.table.height * state.zoom}px`;
  scrollTo(before);
}

// Show all the hexes of the question at once, also on a phone.
function centre() {
  const places = state.tapped.map((label) => state.table.hexes[label]);
  if (!places.length) return;
  const wide = [0, 1].map((i) => Math.max(...places.map((place) => place[i])) - Math.min(...places.map((place) => place[i])));
  const room = 3 * state.table.pitch;
  zoom(Math.min(1, at("view").clientWidth / (wide[0] + room), at("view").clientHeight / (wide[1] + room)));
  scrollTo([0, 1].map((i) => places.reduce((sum, place) => sum + place[i], 0) / places.length));
}

function scrollTo([x, y]) {
  const view = at("view");
  view.scrollLeft = x * state.zoom - view.clientWidth / 2;
  view.scrollTop = y * state.zoom - view.clientHeight / 2;
}

function button(text, action, value) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.value = value;
  made.addEventListener("click", action);
  return made;
}

start();
