// The paper beside the map: the turn, the tables, the rules in our own words.
import { made, pressed } from "./made.js";
import { book, phrase, word } from "./words.js";

const MOST_HITS = 40;

export function turnPanel(done, onDone, cite) {
  if (!book.data.turn.length) return [made("p", word("no_turn"))];
  return [
    made("h2", word("turn")),
    ...(isEnglish(book.data.turn) ? [made("p", word("turn_english"), "soft")] : []),
    ...book.data.turn.map((line, at) => {
      const box = Object.assign(document.createElement("input"), { type: "checkbox", checked: done.has(at) });
      const text = made("span", `${line.id ? `${line.id} ` : ""}${phrase(line.text)}`);
      const more = [phrase(line.who), phrase(line.only)].filter(Boolean).join("; ");
      if (more) text.append(made("small", ` – ${more}`, "soft"));
      text.append(cite(line.cite));
      const row = made("label", "", `check depth${line.depth}${done.has(at) ? " done" : ""}`, box, text);
      box.addEventListener("change", () => { onDone(at, box.checked); row.classList.toggle("done", box.checked); });
      return row;
    }),
    pressed(word("clear_all"), () => onDone(null)),
  ];
}

// Whether a step of the turn has no words of the language that is read.
function isEnglish(lines) {
  return book.language !== "en" && lines.some(({ text }) => phrase(text) === book.data.phrases.en[text]);
}

export function tablesPanel(cite) {
  const { tables } = book.data;
  if (!tables.length) return [made("p", word("no_tables"))];
  const shown = [made("h2", word("tables"))];
  if (tables.some(({ card }) => card)) shown.push(made("p", word("in_cards"), "soft"));
  return [...shown, ...tables.map((table) => oneTable(table, cite))];
}

function oneTable(table, cite) {
  const title = made("summary", phrase(table.title));
  const head = made("p", table.die ? `${word("roll")}: ${table.die}` : "", "", cite(table.cite));
  const parts = [head];
  if (table.card) parts.push(made("p", word("on_card", { card: table.card }), "open"));
  if (table.rows.length) parts.push(made("div", "", "scroll", grid(table.columns.length ? ["", ...table.columns] : null, table.rows)));
  for (const kind of ["shifts", "drms"])
    if (table[kind].length) {
      parts.push(made("h3", word(kind)));
      const rows = table[kind].map(([name, amount, number]) => [phrase(name), amount, cite(number)]);
      parts.push(made("div", "", "scroll", grid(null, rows)));
    }
  return made("details", "", "", title, ...parts);
}

function grid(head, rows) {
  const line = (cells, name) => made("tr", "", "", ...cells.map((cell) => (cell instanceof Node ? made(name, "", "", cell) : made(name, cell))));
  return made("table", "", "", ...(head ? [line(head, "th")] : []), ...rows.map((row) => line(row, "td")));
}

export function rulesPanel(query, onQuery, cite) {
  if (!book.data.rules.length) return [made("p", word("no_rules"))];
  const input = Object.assign(document.createElement("input"), { type: "search", value: query, placeholder: word("rules_hint"), ariaLabel: word("rules_hint") });
  const list = made("div");
  const show = () => list.replaceChildren(...found(input.value).map((rule) => oneRule(rule, cite)));
  input.addEventListener("input", () => { onQuery(input.value); show(); });
  show();
  const note = book.language === "en" ? [] : [made("p", word("english_only"), "soft")];
  return [input, ...note, list];
}

function oneRule(rule, cite) {
  const shown = made("div", "", "", made("h3", `${rule.number} ${rule.title}`), made("p", rule.summary));
  if (rule.see.length) shown.append(made("p", `${word("see_also")}:`, "soft", ...rule.see.map(cite)));
  return shown;
}

// A number finds its rule and those below it; words must all occur, under any name players have for them.
function found(query) {
  const { rules, synonyms } = book.data;
  const typed = query.trim().toLowerCase();
  if (!typed) return rules.slice(0, MOST_HITS);
  const exact = rules.filter(({ number, id }) => [number, id].some((one) => one.toLowerCase() === typed));
  const below = rules.filter((rule) => !exact.includes(rule) && rule.number.toLowerCase().startsWith(typed));
  const groups = [typed, ...typed.split(/\s+/)].map((one) => new Set([one, ...synonyms.filter((names) => names.some((name) => name.toLowerCase() === one)).flat().map((name) => name.toLowerCase())]));
  const whole = [...groups[0]];
  const weigh = (rule) => {
    const [title, all] = [rule.title.toLowerCase(), `${rule.title} ${rule.summary} ${rule.tags.join(" ")}`.toLowerCase()];
    const has = (names, text) => [...names].some((name) => text.includes(name));
    if (has(whole, title)) return 3;
    if (has(whole, all)) return 2;
    return groups.slice(1).every((names) => has(names, all)) ? 1 : 0;
  };
  const hits = rules.filter((rule) => !exact.includes(rule) && !below.includes(rule)).map((rule) => [weigh(rule), rule]).filter(([weight]) => weight);
  return [...exact, ...below, ...hits.sort((one, other) => other[0] - one[0]).map(([, rule]) => rule)].slice(0, MOST_HITS);
}
