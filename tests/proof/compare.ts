import type { Study } from '../../src/sandbox/redcap/study.js';
import { madeUpTexts } from './made-up.js';
import type { Answer } from './request.js';

/** What a policy does not grant is refused in words that are always the same. */
export function isNotGranted({ status, body }: Answer): boolean {
  return (
    (status === 403 && body.includes('"code":"not_in_policy"')) ||
    (status === 400 && /cannot be (used|eav|evaluated) under (this|a) policy/.test(body))
  );
}

/** Tells where two answers differ; undefined if they do not. */
export function difference(one: Answer, other: Answer): string | undefined {
  const [a, b] = [textOf(one), textOf(other)];
  if (a === b) return undefined;
  let at = 0;
  while (a[at] === b[at]) at += 1;
  const near = (text: string): string => JSON.stringify(text.slice(Math.max(0, at - 60), at + 120));
  return `${near(a)} is ${near(b)}`;
}

export function textOf({ status, headers, body }: Answer): string {
  return `${status}\n${body}\n${JSON.stringify(headers)}`;
}

/**
 * Finds texts of studies that are hidden, also in the forms into which encodings turn them. Who has sent a text, such as
 * the id of a record, may be told it.
 */
export function notIn(
  visible: ReadonlySet<string>,
  studies: readonly Study[],
  word: string,
): (text: string, sent?: string) => string | undefined {
  const made = studies.flatMap((study) => [...madeUpTexts(study, word)]);
  const hidden = new Set(made.filter((text) => !visible.has(text)));
  const pattern = new RegExp(`${word}q\\d+z`, 'g');
  return (text, sent = '') =>
    [withoutEscapes(text), ...decodedIn(text)]
      .flatMap((each) => each.match(pattern) ?? [])
      .find((each) => hidden.has(each) && !sent.includes(each));
}

/** What the words of a text are if they are base64 or hexadecimal, wherever within them an encoded text begins. */
function decodedIn(text: string): string[] {
  const words = [...new Set(text.match(/[\w+/-]{8,}/g))];
  const decoded = (encoding: 'base64' | 'hex', starts: readonly number[]): string[] =>
    starts.flatMap((at) => words.map((word) => Buffer.from(word.slice(at), encoding).toString('latin1')));
  return [...decoded('base64', [0, 1, 2, 3]), ...decoded('hex', [0, 1])];
}

function withoutEscapes(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (escape) =>
    String.fromCharCode(Number.parseInt(escape.slice(1), 16)),
  );
}
