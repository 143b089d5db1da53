/** Text that is HTML already: everything else is escaped when it enters a page. */
export class Html {
  constructor(readonly text: string) {}
}

/** Writes HTML. What is put in is escaped, unless it was written by this function itself; lists are joined. */
export function html(parts: TemplateStringsArray, ...values: readonly unknown[]): Html {
  return new Html(parts.reduce((text, part, index) => text + render(values[index - 1]) + part));
}

/** @returns the text with every character escaped that means something in HTML */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function render(value: unknown): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(render).join('');
  if (value === undefined || value === null || value === false) return '';
  return escapeHtml(String(value));
}
