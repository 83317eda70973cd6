// Elements made of text: whatever a map calls its places stays text.

export function made(name, text = "", kind = "", ...children) {
  const element = document.createElement(name);
  if (text !== "") element.textContent = text;
  if (kind) element.className = kind;
  element.append(...children);
  return element;
}

export function pressed(text, action, kind = "") {
  const button = made("button", text, kind);
  button.type = "button";
  button.addEventListener("click", action);
  return button;
}

export function folded(title, entries, open = false, count = entries.length) {
  if (!entries.length) return [];
  const details = made("details", "", "", made("summary", `${title} (${count})`), ...entries);
  details.open = open;
  return [details];
}

export function drawn(name, values, text = "") {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(values)) element.setAttribute(key, value);
  if (text) element.textContent = text;
  return element;
}
