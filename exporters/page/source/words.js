// What the page says: every text is in the data, once in each language.

export const LANGUAGES = ["en", "de", "it"];
export const book = { data: null, language: "en" };

export function phrase(number) {
  return book.data.phrases[book.language][number];
}

export function word(name, values = {}) {
  return filled(phrase(book.data.words[name]), values);
}

export function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (slot, name) => (name in values ? String(values[name]) : slot));
}
