/** Text that is HTML already: everything else is escaped when it enters a page. */
export class Html {
  constructor(readonly text: string) {}
}

/** What may be put into HTML: what is false or missing is nothing. */
export type HtmlPart = Html | string | number | false | null | undefined | readonly HtmlPart[];

/** Writes HTML. What is put in is escaped, unless it was written by this function itself; lists are joined. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlPart[]): Html {
  return new Html(
    parts.reduce((text, part, index) => text + (index === 0 ? '' : render(values[index - 1])) + part),
  );
}

/** @returns the text with every character escaped that means something in HTML */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function render(value: HtmlPart): string {
  if (value instanceof Html) return value.text;
  if (value === undefined || value === null || value === false) return '';
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return value.map(render).join('');
}
