// The page: which tab is open, which hexes were tapped, and the address that says the same.
import { SightTables } from "./joining.js";
import { drawn, made, pressed } from "./made.js";
import { distancePanel, fieldPanel, findPanel, hexPanel, sightPanel, TONES } from "./panels.js";
import { rulesPanel, tablesPanel, turnPanel } from "./books.js";
import { steered } from "./keys.js";
import { Sheet } from "./sheet.js";
import { unpacked, unpackedJson } from "./unpack.js";
import { book, LANGUAGES, word } from "./words.js";

const COLOURS = { good: "#2e7d32", bad: "#d7263d", open: "#a86a00", own: "#1b6ec2", beside: "#d98a00" };
const ICONS = {
  sight: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  field: "M12 20L3 6a14 14 0 0 1 18 0z",
  hex: "M7 3h10l5 9-5 9H7l-5-9z",
  find: "M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM15 15l6 6",
  turn: "M4 6h2M4 12h2M4 18h2M10 6h10M10 12h10M10 18h10",
  tables: "M3 5h18v14H3zM3 10h18M9 5v14",
  rules: "M5 4h11a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zM9 9h6M9 13h6",
};
const TABS = Object.keys(ICONS);
const ON_MAP = ["sight", "field", "hex"];
const READ = ["turn", "tables", "rules"];

const at = (id) => document.getElementById(id);
const state = { map: 0, tab: "sight", tapped: [], weather: 0, query: "", rule: "", done: new Set(), error: "", step: false, ready: false, sheet: null, tables: new Map(), joined: null };
globalThis.page = state; // tests ask it

async function start() {
  if (!("DecompressionStream" in globalThis)) {
    at("body").textContent = "This browser is too old for the page. / Dieser Browser ist zu alt. / Questo browser è troppo vecchio.";
    return;
  }
  book.data = await unpackedJson("data");
  for (const map of book.data.maps) {
    map.byPlace = new Map(map.hexes.map((hex, number) => [String(hex.at), number]));
    map.byLabel = new Map(map.hexes.map((hex, number) => [hex.label, number]));
  }
  book.language = book.data.language;
  state.sheet = new Sheet(at("sheet"), tap);
  steered(state.sheet, tap, (hex) => { at("said").textContent = state.sheet.map.hexes[hex].label; });
  frame();
  await fromAddress();
  addEventListener("hashchange", fromAddress);
}

function frame() {
  for (const language of LANGUAGES) {
    const button = pressed(language, () => { book.language = language; show(); });
    button.value = language;
    at("languages").append(button);
  }
  for (const tab of TABS) {
    const icon = drawn("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" });
    icon.append(drawn("path", { d: ICONS[tab] }));
    const button = pressed("", () => choose(tab));
    button.value = tab;
    button.setAttribute("role", "tab");
    button.append(icon, made("span"));
    at("tabs").append(button);
  }
  for (const [number, map] of book.data.maps.entries()) at("which").append(new Option(map.title, number));
  at("which").hidden = book.data.maps.length < 2;
  at("which").addEventListener("change", () => open(Number(at("which").value)));
  at("in").addEventListener("click", () => state.sheet.zoom(1.5));
  at("out").addEventListener("click", () => state.sheet.zoom(1 / 1.5));
  at("fit").addEventListener("click", () => state.sheet.fit([]));
  at("fold").addEventListener("click", () => { at("panel").classList.toggle("folded"); folding(); });
}

// An address can hold a question, so that it can be sent on: #from=0101&to=0505&lang=de
async function fromAddress() {
  state.ready = false;
  const asked = new URLSearchParams(location.hash.slice(1));
  if (LANGUAGES.includes(asked.get("lang"))) book.language = asked.get("lang");
  const number = Math.max(0, book.data.maps.findIndex(({ id }) => id === asked.get("map")));
  const map = book.data.maps[number];
  const wanted = ["from", "to", "field", "hex"].map((name) => asked.get(name));
  const [from, to, field, hex] = wanted.map((label) => map.byLabel.get(label));
  state.tab = TABS.includes(asked.get("tab")) ? asked.get("tab") : wanted[3] ? "hex" : wanted[2] ? "field" : asked.get("rule") ? "rules" : asked.get("find") ? "find" : "sight";
  Object.assign(state, { query: asked.get("find") || "", rule: asked.get("rule") || "" });
  const lost = wanted.find((label) => label && !map.byLabel.has(label));
  const weathers = map.sight ? map.sight.weather : [];
  state.weather = Math.max(0, weathers.findIndex(({ id }) => id === asked.get("weather")));
  const taken = { field: [field], hex: [hex] }[state.tab] || [from, to];
  await open(number, lost ? [] : taken.filter((one) => one !== undefined), lost ? word("not_found", { hex: lost }) : "");
}

async function open(number, tapped = [], error = "") {
  const map = book.data.maps[number];
  Object.assign(state, { map: number, tapped, error });
  at("which").value = String(number);
  if (state.sheet.map !== map) state.sheet.show(map, number);
  if (map.sight && !state.tables.has(number)) state.tables.set(number, new SightTables(map, await unpacked(`sight-${number}`)));
  show();
  state.sheet.bring(state.tapped);
  state.ready = true;
}

// Who looks a rule up beside a line of sight comes back to the same line.
function choose(tab) {
  const keeps = !ON_MAP.includes(tab) || (tab === "sight" && !ON_MAP.includes(state.tab));
  Object.assign(state, { step: tab !== state.tab, tab, tapped: keeps ? state.tapped : state.tapped.slice(0, 1), error: "" });
  at("panel").classList.remove("folded");
  show();
  at("panel").scrollTop = 0;
}

function tap(hex) {
  state.error = "";
  if (!ON_MAP.includes(state.tab)) state.tab = "hex";
  if (state.tab !== "sight") state.tapped = [hex];
  else if (state.tapped.length !== 1) state.tapped = [hex];
  else state.tapped = [state.tapped[0], hex];
  show();
  state.sheet.bring(state.tapped);
}

// Every rule that is named can be read at a touch.
function cite(number) {
  if (!number) return "";
  if (!book.data.rules.some((rule) => rule.number === number)) return made("span", `[${number}]`, "soft");
  return pressed(number, (event) => {
    event.preventDefault();
    Object.assign(state, { step: true, tab: "rules", rule: number });
    show();
    at("panel").scrollTop = 0;
  }, "cite");
}

function show() {
  const map = book.data.maps[state.map];
  document.documentElement.lang = book.language;
  document.title = at("title").textContent = [map.title, book.data.game].filter(Boolean).join(" · ");
  for (const button of at("languages").children) button.setAttribute("aria-pressed", button.value === book.language);
  for (const button of at("tabs").children) {
    button.setAttribute("aria-selected", button.value === state.tab);
    const short = `tab_${button.value}`;
    button.querySelector("span").textContent = word(short in book.data.words ? short : button.value);
    button.title = word(button.value);
  }
  for (const [id, name] of Object.entries({ in: "larger", out: "smaller", fit: "show_all", which: "map", languages: "language", sheet: "map_keys" })) at(id).ariaLabel = at(id).title = word(name);
  state.joined = null;
  state.sheet.mark([]);
  at("panel").classList.toggle("reading", READ.includes(state.tab));
  at("body").ariaLabel = word(state.tab);
  at("body").replaceChildren(...(state.error ? [made("h2", state.error, "open")] : []), ...PANELS[state.tab](map));
  at("said").textContent = state.error || (state.joined ? at("body").querySelector("h2").firstChild.textContent : "");
  folding();
  keepAddress(map);
}

function folding() {
  const folded = at("panel").classList.contains("folded");
  at("fold").textContent = folded ? "▴" : "▾";
  at("fold").setAttribute("aria-expanded", !folded);
  at("fold").ariaLabel = at("fold").title = word(folded ? "show" : "hide");
}

const PANELS = {
  sight: (map) => {
    const [a, b] = state.tapped;
    mark(a === undefined ? [] : [{ draw: "hex", hex: a, colour: COLOURS.own }]);
    const tables = state.tables.get(state.map);
    if (b === undefined) return [hint(tables ? (a === undefined ? "tap_observer" : "tap_target") : "tap_hex"), ...noGame(map), weatherChoice(map)];
    if (!tables) return [...bare(map, a, b), ...noGame(map)];
    const joined = (state.joined = tables.join(a, b, state.weather));
    const colour = COLOURS[TONES[joined.verdict]];
    const met = joined.events.filter(({ kind }) => kind === "through").flatMap(({ hexes }) => hexes).filter((hex) => hex !== null && hex !== a && hex !== b);
    mark([
      ...met.map((hex) => ({ draw: "hex", hex, colour: COLOURS.own, opacity: 0.12, edge: false })),
      ...joined.beside.map((hex) => ({ draw: "hex", hex, colour: COLOURS.beside, opacity: 0.35 })),
      ...joined.blockers.map((hex) => ({ draw: "hex", hex, colour: COLOURS.bad, opacity: 0.45 })),
      ...[a, b].map((hex) => ({ draw: "hex", hex, colour: COLOURS.own, opacity: 0.4 })),
      { draw: "line", from: joined.from, to: joined.to, colour },
    ]);
    return [...sightPanel(map, joined, tables, cite), weatherChoice(map)];
  },
  field: (map) => {
    const [a] = state.tapped;
    const tables = state.tables.get(state.map);
    if (!tables) return noGame(map);
    if (a === undefined) return [hint("tap_observer"), weatherChoice(map)];
    const field = (state.joined = tables.field(a, state.weather));
    mark([
      { draw: "veil", but: [a, ...field.clear, ...field.unknown], opacity: 0.5 },
      ...field.clear.map((hex) => ({ draw: "hex", hex, colour: COLOURS.good, edge: false, opacity: 0.15 })),
      ...field.unknown.map((hex) => ({ draw: "hex", hex, colour: COLOURS.beside, edge: false, opacity: 0.55 })),
      { draw: "hex", hex: a, colour: COLOURS.own, opacity: 0.5 },
    ]);
    return [...fieldPanel(map, field, tables, cite), weatherChoice(map)];
  },
  hex: (map) => {
    const [a] = state.tapped;
    if (a === undefined) return [hint("tap_hex")];
    mark([{ draw: "hex", hex: a, colour: COLOURS.own }]);
    return hexPanel(map, a, () => choose("sight"));
  },
  find: (map) => findPanel(map, state.query, (query) => { state.query = query; keepAddress(map); }, (hex) => {
    Object.assign(state, { step: true, tab: "hex", tapped: [hex] });
    show();
    state.sheet.bring([hex]);
    state.sheet.centre(state.sheet.place(...map.hexes[hex].at));
  }),
  turn: () => turnPanel(state.done, (line, done) => {
    if (line === null) { state.done.clear(); show(); } else if (done) state.done.add(line); else state.done.delete(line);
  }, cite),
  tables: () => tablesPanel(cite),
  rules: (map) => rulesPanel(state.rule, (query) => { state.rule = query; keepAddress(map); }, cite),
};

const mark = (marks) => state.sheet.mark(marks);
const hint = (name) => made("p", word(name));
const noGame = (map) => (map.sight ? [] : [made("p", word(book.data.game ? "no_sight" : "no_game"), "soft")]);

function bare(map, a, b) {
  const [one, other] = [map.hexes[a].at, map.hexes[b].at];
  const [q, r] = [other[0] - one[0], other[1] - one[1]];
  mark([{ draw: "hex", hex: a, colour: COLOURS.own }, { draw: "hex", hex: b, colour: COLOURS.own }, { draw: "line", from: one, to: other, colour: COLOURS.own }]);
  return distancePanel(map, a, b, Math.max(Math.abs(q), Math.abs(r), Math.abs(q + r)));
}

function weatherChoice(map) {
  const row = made("div", "", "row", pressed(word("clear_all"), () => { Object.assign(state, { tapped: [], error: "" }); show(); }));
  if (!map.sight || map.sight.weather.length < 2) return row;
  const select = document.createElement("select");
  select.id = "weather";
  select.ariaLabel = word("weather");
  map.sight.weather.forEach(({ title }, number) => select.append(new Option(`${word("weather")}: ${book.data.phrases[book.language][title]}`, number)));
  select.value = String(state.weather);
  select.addEventListener("change", () => { state.weather = Number(select.value); show(); });
  row.prepend(select);
  return row;
}

// The button that goes back undoes a step: another tab, a rule that was looked up.
function keepAddress(map) {
  const labels = state.tapped.map((hex) => map.hexes[hex].label);
  const said = new URLSearchParams();
  if (book.data.maps.length > 1) said.set("map", map.id);
  const names = { field: ["field"], hex: ["hex"] }[state.tab] || ["from", "to"];
  names.slice(0, labels.length).forEach((name, number) => said.set(name, labels[number]));
  if (state.tab === "find" && state.query) said.set("find", state.query);
  if (state.tab === "rules" && state.rule) said.set("rule", state.rule);
  if (!labels.length || !ON_MAP.includes(state.tab)) said.set("tab", state.tab);
  if (state.weather) said.set("weather", map.sight.weather[state.weather].id);
  said.set("lang", book.language);
  history[state.step ? "pushState" : "replaceState"](null, "", `#${said}`);
  state.step = false;
}

start();
