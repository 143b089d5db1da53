import { InvalidRequestError } from '../../errors/caller-errors.js';
import type { RequestBody } from './request-body.js';
import type { WireParameters } from './wire-parameters.js';

/**
 * Parameters as a form body. Lists are written as `name[0]=…&name[1]=…`, which every version of REDCap can read,
 * booleans as `true` and `false`. The body is encoded while it is sent, into reused memory: encoding an import in one
 * step would create several large strings, which V8 collects late.
 *
 * @see docs/protocol/redcap.md 1.2, 1.4, 1.5 (client)
 */
export class FormBody implements RequestBody {
  readonly contentType = 'application/x-www-form-urlencoded';
  /** In bytes, which is also the number of characters: percent-encoded text is ASCII. */
  readonly length: number;
  readonly #parameters: WireParameters;

  /**
   * @throws {InvalidRequestError} a text contains a lone surrogate, which UTF-8 cannot encode, or a value is of no type
   *   that can be sent
   */
  constructor(parameters: WireParameters) {
    this.#parameters = parameters;
    let length = 0;
    for (const pair of pairsOf(parameters)) length += (length === 0 ? 0 : 1) + encodedLength(pair);
    this.length = length;
  }

  /**
   * Yields the body in order. Each piece is written into `target` and overwrites the previous one.
   *
   * @param target at least 1 KiB
   */
  *pieces(target: Buffer): Generator<Buffer, void, undefined> {
    let end = 0;
    let isFirst = true;
    for (const { name, text } of pairsOf(this.#parameters)) {
      const opening = openingOf(name, isFirst);
      isFirst = false;
      if (end + opening.length > target.length) {
        yield target.subarray(0, end);
        end = 0;
      }
      end += target.write(opening, end, 'latin1');
      for (const slice of slicesOf(text)) {
        for (let at = 0; at < slice.length;) {
          const fitting = Math.floor((target.length - end) / ENCODED_BYTES);
          const part = slice.subarray(at, at + fitting);
          end = encode(part, target, end);
          at += part.length;
          if (target.length - end >= ENCODED_BYTES) continue;
          yield target.subarray(0, end);
          end = 0;
        }
      }
    }
    if (end > 0) yield target.subarray(0, end);
  }

  /** Returns the whole body. For short bodies. */
  toString(): string {
    const written = Array.from(pairsOf(this.#parameters), ({ name, text }, index) => {
      const value = typeof text === 'string' ? encodeURIComponent(text) : encodedText(text);
      return `${openingOf(name, index === 0)}${value}`;
    });
    return written.join('');
  }
}

/** One parameter as it is sent. */
export interface Pair {
  readonly name: string;
  readonly text: string | Buffer;
}

/**
 * Yields the parameters one by one, with one pair for each item of a list. Pairs are made while they are read: kept in an
 * array, the thousands of a long list would live as long as the call, and V8 collects old objects late.
 *
 * @throws {InvalidRequestError} a value is of no type that can be sent, such as `null`
 */
export function* pairsOf(parameters: WireParameters): Generator<Pair, void, undefined> {
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue;
    if (Buffer.isBuffer(value)) yield { name, text: value };
    else if (Array.isArray(value)) {
      const items: readonly unknown[] = value;
      for (const [index, item] of items.entries()) yield textPair(`${name}[${index}]`, item);
    } else if (typeof value === 'number' || typeof value === 'boolean') yield plainPair(name, value);
    else yield textPair(name, value);
  }
}

/**
 * Checks that the parameters can be written as a body, without writing one.
 *
 * @throws {InvalidRequestError} a text contains a lone surrogate, which UTF-8 cannot encode, or a value is of no type
 *   that can be sent
 */
export function checkSendable(parameters: WireParameters): void {
  for (const { name, text } of pairsOf(parameters)) {
    if (typeof text === 'string' && !text.isWellFormed()) throw halfPair(name);
  }
}

/** The error for a text with half of a surrogate pair, which UTF-8 cannot encode. */
export function halfPair(field: string): InvalidRequestError {
  return invalid(field, 'holds half of a surrogate pair');
}

function plainPair(name: string, value: number | boolean): Pair {
  if (!Number.isFinite(Number(value))) throw invalid(name, 'must be a finite number');
  return { name, text: String(value) };
}

function textPair(name: string, value: unknown): Pair {
  if (typeof value !== 'string') throw invalid(name, 'must be text, or left out');
  return { name, text: value };
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
    else throw halfPair(name);
  }
  return length;
}

function lengthOfBytes(bytes: Buffer): number {
  let kept = 0;
  for (let at = 0; at < bytes.length; at++) kept += IS_KEPT[bytes[at] ?? 0] ?? 0;
  return kept + (bytes.length - kept) * 3;
}

function isPairAt(value: string, at: number): boolean {
  return (value.codePointAt(at) ?? 0) > 0xffff;
}

/** Returns the text that precedes the value of a pair. */
function openingOf(name: string, isFirst: boolean): string {
  return `${isFirst ? '' : '&'}${name}=`;
}

/** Yields the UTF-8 bytes of a text. A string is encoded in slices, which never split a surrogate pair. */
function* slicesOf(text: string | Buffer): Generator<Buffer, void, undefined> {
  if (typeof text !== 'string') {
    yield text;
    return;
  }
  for (let at = 0; at < text.length;) {
    let end = Math.min(at + SLICE_LENGTH, text.length);
    if (end < text.length && isPairAt(text, end - 1)) end--;
    yield Buffer.from(text.slice(at, end));
    at = end;
  }
}

/**
 * Writes bytes as `encodeURIComponent` would write their text.
 *
 * @param target has room for three bytes per byte
 * @returns the end position in the target
 */
function encode(bytes: Buffer, target: Buffer, start: number): number {
  let end = start;
  // A loop by index: until it is compiled, an iterator would allocate an object for each byte.
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (IS_KEPT[byte] === 1) target[end++] = byte;
    else {
      target[end++] = PERCENT;
      target[end++] = HEX_DIGITS[byte >> 4] ?? 0;
      target[end++] = HEX_DIGITS[byte & 0x0f] ?? 0;
    }
  }
  return end;
}

function encodedText(bytes: Buffer): string {
  const target = Buffer.allocUnsafe(bytes.length * ENCODED_BYTES);
  return target.toString('latin1', 0, encode(bytes, target, 0));
}

function invalid(field: string, message: string): InvalidRequestError {
  return new InvalidRequestError([{ field, message }]);
}

/** The most bytes that one byte can take when it is encoded. */
const ENCODED_BYTES = 3;
const SLICE_LENGTH = 8 * 1024;
const PERCENT = 0x25;
const HEX_DIGITS = Buffer.from('0123456789ABCDEF');

/** The characters that `encodeURIComponent` does not encode. */
const IS_KEPT = new Uint8Array(0x100);
for (const char of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.!~*'()") {
  IS_KEPT[char.charCodeAt(0)] = 1;
}
