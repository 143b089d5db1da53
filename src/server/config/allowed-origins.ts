/**
 * Parses the origins whose pages may call the API.
 *
 * @returns the origins as browsers send them, or the rule that one of them breaks
 */
export function parseAllowedOrigins(text: string): string[] | string {
  const items = text.split(/[\s,]+/).filter((item) => item !== '');
  return items.every(isOrigin) ? items : ORIGINS_RULE;
}

/** `*` is refused: every page that anybody writes could try keys. */
function isOrigin(item: string): boolean {
  return /^https?:\/\//.test(item) && URL.canParse(item) && new URL(item).origin === item;
}

const ORIGINS_RULE =
  'must be a list of origins, as in https://app.example.org: lower case, without a path, and never *';
