import { InvalidRequestError } from '../../errors/invalid-request-error.js';
import type { WireParameters } from './wire-parameters.js';

/**
 * Parameters as the body of a form: lists as `name[0]=…&name[1]=…`, which every version of REDCap has read,
 * booleans as `true` and `false`. It is encoded while it is sent: an import written out at once would be several
 * large strings, which V8 collects late.
 *
 * @see protocol reference 1.2, 1.4, 1.5 (client)
 */
export class FormBody {
  /** In bytes, which are as many as its characters: what is percent-encoded is ASCII. */
  readonly length: number;
  readonly #pairs: readonly Pair[];

  /** @throws {InvalidRequestError} a text holds half of a surrogate pair, which UTF-8 cannot carry */
  constructor(parameters: WireParameters) {
    this.#pairs = pairsOf(parameters);
    const separators = Math.max(0, this.#pairs.length - 1);
    this.length = this.#pairs.reduce((sum, pair) => sum + encodedLength(pair), separators);
  }

  /** The body in order, in pieces of at most some 100 KB. */
  *pieces(): Generator<string, void, undefined> {
    let piece = '';
    for (const [index, { name, text }] of this.#pairs.entries()) {
      piece += `${index === 0 ? '' : '&'}${name}=`;
      for (const slice of slicesOf(text)) {
        piece += encodeURIComponent(slice);
        if (piece.length < PIECE_LENGTH) continue;
        yield piece;
        piece = '';
      }
    }
    if (piece !== '') yield piece;
  }

  toString(): string {
    return [...this.pieces()].join('');
  }
}

interface Pair {
  readonly name: string;
  readonly text: string | Buffer;
}

function pairsOf(parameters: WireParameters): Pair[] {
  return Object.entries(parameters).flatMap(([name, value]): Pair[] => {
    if (value === undefined) return [];
    if (Buffer.isBuffer(value)) return [{ name, text: value }];
    if (typeof value !== 'object') return [{ name, text: String(value) }];
    return value.map((item, index) => ({ name: `${name}[${index}]`, text: item }));
  });
}

function encodedLength({ name, text }: Pair): number {
  const value = typeof text === 'string' ? lengthOfText(text, name) : lengthOfBytes(text);
  return name.length + 1 + value;
}

function lengthOfText(text: string, name: string): number {
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80) length += IS_KEPT[code] === 1 ? 1 : 3;
    else if (code < 0x800) length += 6;
    else if (code < 0xd800 || code > 0xdfff) length += 9;
    else if (isPairAt(text, at++)) length += 12;
    else throw new InvalidRequestError([{ field: name, message: 'holds half of a surrogate pair' }]);
  }
  return length;
}

function lengthOfBytes(bytes: Buffer): number {
  let kept = 0;
  for (const byte of bytes) kept += IS_KEPT[byte] ?? 0;
  return kept + (bytes.length - kept) * 3;
}

function isPairAt(value: string, at: number): boolean {
  return (value.codePointAt(at) ?? 0) > 0xffff;
}

/** A text in slices that are not cut inside of a character. */
function* slicesOf(text: string | Buffer): Generator<string, void, undefined> {
  for (let at = 0; at < text.length;) {
    let end = Math.min(at + SLICE_LENGTH, text.length);
    if (typeof text === 'string') {
      if (end < text.length && isPairAt(text, end - 1)) end--;
      yield text.slice(at, end);
    } else {
      while (isInsideCharacter(text[end])) end--;
      yield text.toString('utf8', at, end);
    }
    at = end;
  }
}

/** Whether a byte of UTF-8 goes on with the character of the byte before it. */
function isInsideCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

const PIECE_LENGTH = 32 * 1024;
/** Encoded, nine times as long at most. */
const SLICE_LENGTH = 8 * 1024;

/** What `encodeURIComponent` leaves as it is. */
const IS_KEPT = new Uint8Array(0x100);
for (const char of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.!~*'()") {
  IS_KEPT[char.charCodeAt(0)] = 1;
}
