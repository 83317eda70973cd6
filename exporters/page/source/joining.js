// Joins what was worked out beforehand. There is no rule in here: each verdict, each comparison and
// each sentence is looked up; the page only knows which hex lies where on a line.
import { filled, phrase } from "./words.js";

export class SightTables {
  constructor(map, rows) {
    Object.assign(this, { map, tables: map.sight, rows, wide: Math.ceil(map.hexes.length / 4) });
    this.templates = new Map(this.tables.templates.map((one) => [String(one.by), one]));
  }

  // Everything about the line between two hexes, by number.
  join(a, b, weather) {
    const { tables, map } = this;
    const [one, other] = [map.hexes[a], map.hexes[b]];
    const by = [other.at[0] - one.at[0], other.at[1] - one.at[1]];
    const distance = Math.max(Math.abs(by[0]), Math.abs(by[1]), Math.abs(by[0] + by[1]));
    const range = this.range(a, b, weather);
    const covers = range.covers[Math.min(distance, range.covers.length - 1)];
    const template = this.templates.get(String(by));
    if (!template) return this.far(a, b, distance, range, covers);
    const chosen = (tables.chosen[a] || {})[b];
    const centre = this.shut(template, a);
    // An observer who may choose his place uses that only where the centre does not see.
    const used = chosen && tables.verdicts[covers][centre] !== "out_of_range" ? chosen : null;
    const shut = used ? used.shut : centre;
    const verdict = tables.verdicts[covers][shut];
    const events = (used || template).events.map(([kind, hexes, from, to]) => ({ kind, hexes: hexes.map((at) => this.at(a, at)), from, to }));
    const found = used
      ? { reasons: used.reasons.map(told), blockers: used.blockers.map((at) => this.at(a, at)).filter((hex) => hex !== null), beside: [], compared: [], open: [] }
      : this.gates(a, b, template);
    const reasons = [
      told(tables.says[verdict], { a: one.label, b: other.label }),
      ...this.ranged(range, distance),
      ...(used ? [] : events.filter(isStretch).flatMap(({ hexes }) => hexes).filter(once).flatMap((hex) => (tables.raised[hex] || []).map((row) => told(row)))),
      ...found.reasons,
      ...(verdict === "unknown" && !used ? this.notKnown([a, b, ...found.unknown]) : []),
    ];
    const along = events.some(({ kind }) => kind === "along");
    const cites = [tables.cite, ...reasons.map(({ cite }) => cite), ...(along ? [tables.along_cite] : [])].filter(Boolean).filter(once);
    return {
      a, b, verdict, distance, reasons, cites, events,
      blockers: found.blockers, beside: found.beside, compared: found.compared,
      open: this.open(weather, found.open, along, events, used || tables.may_choose.includes(a)),
      from: used ? used.start : one.at, to: other.at,
    };
  }

  far(a, b, distance, range, covers) {
    const { tables, map } = this;
    const verdict = tables.verdicts[covers]["0"];
    const known = verdict === "out_of_range"; // else the tables were cut off before the range was
    const ends = { a: map.hexes[a].label, b: map.hexes[b].label };
    const reasons = known ? [told(tables.says[verdict], ends), ...this.ranged(range, distance)] : [];
    return {
      a, b, verdict: known ? verdict : "too_far", distance, reasons, cites: reasons.map(({ cite }) => cite).filter(Boolean).filter(once), events: [],
      blockers: [], beside: [], compared: [], open: [], from: map.hexes[a].at, to: map.hexes[b].at,
    };
  }

  // What the gates of a line brought: those that are shut, half shut, or not known.
  gates(a, b, template) {
    const { map, tables } = this;
    const states = template.gates.map((_, gate) => [gate, this.state(template.row + 1 + gate, a)]);
    const found = { reasons: [], blockers: [], beside: [], compared: [], unknown: [], open: [] };
    const rows = template.gates.map((places) => places.map((at) => this.at(a, at)).filter((hex) => hex !== null).map((hex) => ({ hex, findings: this.findings(hex, a, b) })));
    for (const { hex, findings } of rows.flat())
      for (const one of findings) {
        found.compared.push({ hex, text: phrase(one.compared), holds: one.holds, cite: one.cite });
        found.open.push(...one.open);
      }
    for (const [gate] of states.filter(([, one]) => one === 3)) {
      const { hex, findings } = rows[gate].find((row) => row.findings.some(isSo));
      found.beside.push(hex);
      found.reasons.push(told(findings.find(isSo).half, { place: this.side(a, template.gates[gate]), hex: map.hexes[hex].label }));
    }
    for (const [gate] of states.filter(([, one]) => one === 1)) {
      for (const { hex, findings } of rows[gate]) {
        const holding = findings.filter(isSo);
        if (holding.length) found.blockers.push(hex);
        for (const one of holding) found.reasons.push(told(one.blocks, { place: map.hexes[hex].label }));
      }
      if (template.gates[gate].length === 2) found.reasons.push(told(tables.both_sides, { place: this.side(a, template.gates[gate]) }));
    }
    for (const [gate] of states.filter(([, one]) => one === 2))
      for (const { hex, findings } of rows[gate]) if (findings.some(({ holds }) => holds === "?")) found.unknown.push(hex);
    return found;
  }

  // All that an observer in the centre of a hex sees.
  field(a, weather) {
    const seen = { clear: [], unknown: [] };
    for (const template of this.templates.values()) {
      const b = this.at(a, template.by);
      if (b === null || b === a) continue;
      const range = this.range(a, b, weather);
      const distance = Math.max(...[template.by[0], template.by[1], template.by[0] + template.by[1]].map(Math.abs));
      const verdict = this.tables.verdicts[range.covers[distance]][this.shut(template, a)];
      if (verdict in seen) seen[verdict].push(b);
    }
    const says = this.tables.field[seen.clear.length === 1 ? "one" : "many"];
    const lacks = seen.unknown.length ? [told(this.tables.field[seen.unknown.length === 1 ? "unknown_one" : "unknown_many"], { n: seen.unknown.length })] : [];
    return { a, ...seen, reasons: [told(says, { a: this.map.hexes[a].label, n: seen.clear.length }), ...lacks] };
  }

  // The state of the whole line from a hex, then that of one of its gates: two bits for each hex.
  shut(template, hex) {
    return this.tables.shut[this.state(template.row, hex)];
  }

  state(row, hex) {
    return (this.rows[row * this.wide + (hex >> 2)] >> (2 * (hex & 3))) & 3;
  }

  range(a, b, weather) {
    const { end, allowed, ranges } = this.tables.weather[weather];
    return ranges[allowed[end[a]][end[b]]];
  }

  ranged(range, distance) {
    const said = distance === 1 ? range.one : range.many;
    return [...(said ? [told(said, { n: distance })] : []), ...range.limits.map((row) => told(row))];
  }

  findings(hex, a, b) {
    const { cover, height, eyes, findings } = this.tables;
    return findings.rows[cover[hex]][height[a] * eyes.length + height[b]].map((at) => findings.told[at]);
  }

  notKnown(hexes) {
    return hexes.filter(once).filter((hex) => hex in this.tables.not_known).map((hex) => told(this.tables.not_known[hex]));
  }

  open(weather, found, along, events, chooses) {
    const { tables } = this;
    const raised = events.filter(isStretch).some(({ hexes }) => hexes.some((hex) => hex in tables.raised));
    const ids = new Set([...tables.weather[weather].open, ...found, ...(along ? tables.open_along : []), ...(raised ? tables.open_raised : []), ...(chooses ? tables.open_start : [])]);
    return Object.keys(tables.open_points).filter((id) => ids.has(id));
  }

  at(a, [q, r]) {
    const [x, y] = this.map.hexes[a].at;
    return this.map.byPlace.get(`${x + q},${y + r}`) ?? null;
  }

  // A hexside as players write it.
  side(a, places) {
    const [x, y] = this.map.hexes[a].at;
    const labels = places.map(([q, r]) => {
      const place = `${x + q},${y + r}`;
      const hex = this.map.byPlace.get(place);
      return hex === undefined ? this.map.outside[place] || `(${place})` : this.map.hexes[hex].label;
    });
    return labels.sort().join("/");
  }

  // Heights along a line, stretch by stretch, as the rule counts them.
  profile(joined) {
    const { cover, profile, along, eyes, height } = this.tables;
    const steps = joined.events.filter(isStretch).map(({ hexes, from, to }) => {
      const here = hexes.filter((hex) => hex !== null);
      const tops = here.map((hex) => ({ hex, level: profile[cover[hex]][0], top: profile[cover[hex]][1] }));
      tops.sort((one, other) => one.top - other.top || one.level - other.level);
      const counts = along === "lower" ? tops[0] : tops[tops.length - 1];
      const shut = here.length > 1 ? here.every((hex) => joined.blockers.includes(hex)) : joined.blockers.includes(here[0]);
      return { ...counts, from: fraction(from), to: fraction(to), alone: hexes.length === 1, shut };
    }).filter(({ hex }) => hex !== undefined);
    return { steps, eyes: eyes[height[joined.a]][height[joined.b]] };
  }
}

export function told([number, cite], values = {}) {
  return { text: filled(phrase(number), values), cite };
}

export function fraction(text) {
  const [above, below = "1"] = text.split("/");
  return Number(above) / Number(below);
}

export const once = (one, at, all) => all.indexOf(one) === at;
const isSo = ({ holds }) => holds === "1";
const isStretch = ({ kind }) => kind === "through" || kind === "along";
