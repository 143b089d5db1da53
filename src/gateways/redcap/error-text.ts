/** A response body that is not the requested data. */
export type ErrorBody =
  /** REDCap's error message, from one of its three error formats. */
  | { readonly kind: 'error'; readonly text: string }
  /** PHP or REDCap ran out of memory. An HTML block may precede the message. */
  | { readonly kind: 'memory' }
  /** REDCap is offline for maintenance, by an error of the API or a page. */
  | { readonly kind: 'offline' }
  /** REDCap bans the address of the caller. */
  | { readonly kind: 'banned' }
  | { readonly kind: 'html'; readonly page: string }
  | { readonly kind: 'blank' };

const MEMORY_PATTERN = /REDCap ran out of server memory|Allowed memory size of \d+ bytes exhausted/i;

/** @see docs/protocol/redcap.md 1.10 (client) */
const BAN_PATTERN = /\bhas been banned due to suspected abuse\b/i;

/**
 * The sentences of a page: REDCap's own, and those that administrators write in its place. "Offline" or "maintenance"
 * alone can be on any page: REDCap's home page has an app that works offline.
 *
 * @see docs/protocol/redcap.md 1.10 (doc)
 */
const OFFLINE_PAGE =
  /\b(?:REDCap|system|server|site|service) (?:is|are|will be|has been taken) (?:\w+ ){0,2}(?:offline|unavailable|down)\b|\b(?:under|undergoing|(?:down|offline|closed|unavailable) for|due to) (?:\w+ ){0,2}maintenance\b(?! downtime)/i;

/** Errors can repeat values, so only a sentence on REDCap at their beginning counts. */
const OFFLINE_ERROR =
  /^[^"'.:;,]{0,40}\bREDCap(?: \w+)? (?:is|has been|will be)\b[^"'.:;,]{0,40}\b(?:offline|unavailable|down|maintenance)\b/i;

/**
 * Recognises bodies that are not data: an error in JSON, CSV or XML, an HTML page, or an empty body. Returns
 * `undefined` for anything else, which is not necessarily data either.
 *
 * @see docs/protocol/redcap.md 1.9 (wire, client), 1.11 (issue)
 */
export function toErrorBody(body: string): ErrorBody | undefined {
  const text = body.replace(/^\uFEFF/, '').trim();
  if (text === '') return { kind: 'blank' };
  const error = jsonError(text) ?? csvError(text) ?? xmlError(text);
  if (error !== undefined) return kindOfError(error);
  const isMarkup = text.startsWith('<');
  const words = isMarkup ? wordsOf(text) : text.slice(0, SENTENCE_LENGTH);
  if (!/^[[{"]/.test(text) && BAN_PATTERN.test(words)) return { kind: 'banned' };
  if (!isMarkup) return undefined;
  if (isMemoryError(text)) return { kind: 'memory' };
  return OFFLINE_PAGE.test(words) ? { kind: 'offline' } : { kind: 'html', page: text };
}

function kindOfError(text: string): ErrorBody {
  if (isMemoryError(text)) return { kind: 'memory' };
  return OFFLINE_ERROR.test(text) ? { kind: 'offline' } : { kind: 'error', text };
}

/** The beginning of a body that is more than long enough for one sentence with an address. */
const SENTENCE_LENGTH = 200;

/** Returns the text of a page on one line, in linear time: what is not closed goes on to the end, or to the next tag. */
function wordsOf(html: string): string {
  return html
    .replace(/<(script|style)\b.*?(?:<\/\1>|$)/gis, ' ')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ');
}

/** Checks whether a text that is known not to be data contains one of the out-of-memory messages. */
export function isMemoryError(text: string): boolean {
  return MEMORY_PATTERN.test(text);
}

function jsonError(text: string): string | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('error' in value)) return undefined;
    return typeof value.error === 'string' ? value.error : '';
  } catch {
    // A body that was truncated at the read limit still begins like an error.
    const start = /^\{\s*"error"\s*:\s*"?/.exec(text)?.[0];
    return start === undefined ? undefined : beginningOf(text.slice(start.length));
  }
}

/** Returns what can be read of a JSON string whose end is missing. */
function beginningOf(json: string): string {
  const whole = json.replace(/(?<!\\)((?:\\\\)*)\\(?:u[\dA-Fa-f]{0,3})?$/, '$1');
  try {
    return JSON.parse(`"${whole}"`) as string;
  } catch {
    return '';
  }
}

function csvError(text: string): string | undefined {
  return /^error:/i.test(text) ? text.slice('error:'.length).trim() : undefined;
}

function xmlError(text: string): string | undefined {
  if (!/^<(\?xml|hash)/i.test(text)) return undefined;
  const match = /<error>([\s\S]*?)(<\/error>|$)/i.exec(text);
  return match?.[1] === undefined ? undefined : fromXml(match[1]).trim();
}

const XML_ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#039': "'",
  amp: '&',
};

function fromXml(text: string): string {
  return (
    text
      // What is not closed goes on to the end: a search that fails at each beginning would take quadratic time.
      .replace(/<!\[CDATA\[([\s\S]*?)(?:\]\]>|$)/g, '$1')
      .replace(/&(lt|gt|quot|apos|#039|amp);/g, (_, name: string) => XML_ENTITIES[name] ?? '')
  );
}
