// What is told beside the map: the ruling, the field of view, a hex, a place that is looked for.
import { folded, made, pressed } from "./made.js";
import { profilePicture } from "./profile.js";
import { phrase, word } from "./words.js";

const MOST_PLACES = 60;
export const TONES = { clear: "good", blocked: "bad", out_of_range: "bad", unknown: "open", too_far: "open" };

export function sightPanel(map, joined, tables, cite) {
  const [verdict, ...why] = joined.reasons;
  const labelOf = (hex) => map.hexes[hex].label;
  const line = ({ text, cite: number }, kind) => made("p", text, kind, ...(number ? [cite(number)] : []));
  const shown = [made("h2", verdict ? verdict.text : word("too_far"), TONES[joined.verdict], ...(verdict ? [cite(verdict.cite)] : []))];
  shown.push(...why.map((reason) => line(reason, "why")));
  const picture = joined.events.length ? profilePicture(tables.profile(joined), labelOf) : null;
  if (picture) shown.push(made("p", word("profile"), "soft"), picture);
  const compared = joined.compared.map(({ hex, text, holds, cite: number }) => line({ text: `${labelOf(hex)} – ${text} ${{ 1: "✓", 0: "✗", "?": "?" }[holds]}`, cite: number }, ""));
  shown.push(...folded(word("compared"), compared));
  const open = joined.open.map((id) => {
    const [question, answer] = tables.tables.open_points[id].map(phrase);
    return made("p", question, "", " ", made("b", word("we_assume")), ` ${answer}`);
  });
  shown.push(...folded(word("open_points"), open));
  shown.push(...folded(word("missing"), tables.tables.notes.map(([number]) => made("p", phrase(number)))));
  const met = [...new Set(joined.events.filter(({ kind }) => kind === "through" || kind === "along").flatMap(({ hexes }) => hexes))].filter((hex) => hex !== null);
  const doubtful = met.some((hex) => (map.hexes[hex].sure || []).some(([, doubt]) => doubt));
  shown.push(...folded(word("rests_on"), met.map((hex) => resting(map.hexes[hex])), doubtful));
  shown.push(made("p", `${word("cites")}:`, "soft", ...joined.cites.map(cite)));
  return shown;
}

function resting(hex) {
  const shown = made("p", `${hex.label}: ${levelOf(hex)}, ${phrase(hex.terrain)}`);
  for (const [number, doubt] of hex.sure || []) if (doubt) shown.append(" ", made("span", phrase(number), "open"));
  return shown;
}

export function fieldPanel(map, field, tables, cite) {
  const [verdict, ...more] = field.reasons;
  const listed = (name, hexes) => folded(name, hexes.length ? [made("p", hexes.map((hex) => map.hexes[hex].label).sort().join(" "))] : [], false, hexes.length);
  return [
    made("h2", verdict.text, "good", cite(verdict.cite)),
    ...more.map(({ text }) => made("p", text, "open why")),
    ...listed(word("field"), field.clear),
    ...listed(word("not_told"), field.unknown),
    ...folded(word("missing"), tables.tables.notes.map(([number]) => made("p", phrase(number)))),
  ];
}

export function distancePanel(map, a, b, distance) {
  const [one, other] = [map.hexes[a].label, map.hexes[b].label];
  const apart = word(distance === 1 ? "distance_one" : "distance_many", { n: distance });
  return [made("h2", `${one} – ${other}: ${apart}`)];
}

export function hexPanel(map, number, look) {
  const hex = map.hexes[number];
  const list = made("dl");
  const entry = (name, text) => list.append(made("dt", name), made("dd", text));
  entry(word("terrain"), phrase(hex.terrain));
  if (map.hexes.some(({ level }) => level !== null)) entry(word("level", { n: "" }).trim(), hex.level === null ? word("unknown") : String(hex.level));
  for (const [kind, more] of hex.features || []) entry(phrase(kind), more || "✓");
  if (hex.note) entry(word("note"), hex.note);
  const beside = (road) => map.between
    .filter(([one, other, is]) => is === road && (one === hex.label || other === hex.label))
    .map(([one, other, , what]) => made("p", `${word("toward", { hex: one === hex.label ? other : one })}: ${what.map(([kind, more]) => `${phrase(kind)} ${more}`.trim()).join(", ")}`));
  const sure = (hex.sure || []).map(([text, doubt]) => made("p", phrase(text), doubt ? "open" : "soft"));
  return [
    made("h2", hex.name ? `${hex.label} · ${hex.name}` : hex.label),
    list,
    ...folded(word("hexsides"), beside(0), true),
    ...folded(word("roads"), beside(1), true),
    ...sure,
    ...(look ? [made("div", "", "row", pressed(word("look_from_here"), look))] : []),
  ];
}

const levelOf = (hex) => (hex.level === null ? word("level_unknown") : word("level", { n: hex.level }));

export function findPanel(map, query, onQuery, onFound) {
  const input = Object.assign(document.createElement("input"), { type: "search", value: query, placeholder: word("find_hint"), ariaLabel: word("find_hint") });
  const list = made("ul", "", "plain");
  const show = () => {
    const hits = placesFound(map, input.value);
    list.replaceChildren(...hits.map(([hex, what]) => {
      const button = pressed(map.hexes[hex].label, () => onFound(hex));
      if (what) button.append(made("small", what));
      return made("li", "", "", button);
    }));
    if (!hits.length) list.append(made("li", word("find_none")));
  };
  input.addEventListener("input", () => { onQuery(input.value); show(); });
  show();
  return [input, list];
}

const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

function placesFound(map, query) {
  const typed = plain(query.trim());
  const hits = [];
  map.hexes.forEach((hex, number) => {
    const named = hex.name || "";
    const names = [named, ...(hex.features || []).map(([kind, more]) => `${phrase(kind)} ${more.replace(named, "")}`.trim())].filter(Boolean);
    const label = plain(hex.label);
    const rank = !typed ? (hex.name ? 3 : 0) : label === typed ? 5 : plain(hex.name || "").startsWith(typed) ? 4 : names.some((name) => plain(name).includes(typed)) ? 3 : label.startsWith(typed) ? 2 : 0;
    if (rank) hits.push([rank, number, names.join(", ")]);
  });
  return hits.sort((one, other) => other[0] - one[0] || one[1] - other[1]).slice(0, MOST_PLACES).map(([, number, what]) => [number, what]);
}
