import { byteTable } from './byte-table.js';

/*
 * Finds where the values of JSON end, in bytes that nobody parses. Exports pass rows on like this, and imports check most
 * rows like this: 100,000 × 50 in 2.0 s, instead of 3.9 s with every row parsed (decision 12).
 */

export const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c] as const;
export const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d] as const;

/** 1 for each byte of JSON whitespace. */
export const IS_BLANK = byteTable(Buffer.from(' \t\n\r'));

/** @returns the first offset from `start` on that is not JSON whitespace */
export function behindBlanks(bytes: Uint8Array, start: number): number {
  let at = start;
  while (IS_BLANK[bytes[at] ?? 0] === 1) at++;
  return at;
}

/**
 * @param start the offset after the opening quote
 * @param canEscape whether the string may contain escapes (only those that every parser decodes to the same character)
 * @returns the offset of the closing quote; -1 if the string has to be parsed or has no end
 */
export function endOfText(bytes: Uint8Array, start: number, canEscape: boolean): number {
  const { length } = bytes;
  let at = start;
  for (;;) {
    while (at < length && IN_STRING[bytes[at] ?? 0] === 0) at++;
    if (at >= length) return -1;
    const byte = bytes[at];
    if (byte === QUOTE) return at;
    if (byte !== BACKSLASH || !canEscape) return -1;
    const escaped = bytes[at + 1] ?? 0;
    if (IS_ESCAPE[escaped] === 1) at += 2;
    else if (escaped === LETTER_U && isWholeCharacter(bytes, at + 2)) at += 6;
    else return -1;
  }
}

/** @returns the end of a whole number that every parser reads as the same value; -1 for any other value */
export function endOfNumber(bytes: Uint8Array, start: number): number {
  let at = start;
  while ((bytes[at] ?? 0) >= ZERO && (bytes[at] ?? 0) <= ZERO + 9) at++;
  const digits = at - start;
  return digits === 0 || digits > 15 || (digits > 1 && bytes[start] === ZERO) ? -1 : at;
}

/** Returns whether four hexadecimal digits follow that are not half of a surrogate pair. */
function isWholeCharacter(bytes: Uint8Array, start: number): boolean {
  const first = bytes[start] ?? 0;
  if (first === 0x44 || first === 0x64) return false;
  for (let at = start; at < start + 4; at++) if (IS_HEX[bytes[at] ?? 0] === 0) return false;
  return true;
}

/** Why an object is refused before its end: its nesting, the number of its properties, or a bracket of the wrong kind. */
export type ObjectFault = 'depth' | 'properties' | 'bracket';

/**
 * Finds the brace that closes an object, in pieces that may be cut anywhere. What is nested deeper or has more properties
 * than allowed is refused as soon as it is read, so that neither costs anything (IN-03). All other errors are left to a
 * parser.
 */
export class ObjectScan {
  readonly #maxDepth: number;
  readonly #maxProperties: number;
  #depth = 0;
  #properties = 0;
  #isInString = false;
  #isEscaped = false;
  #isUneven = false;

  /** @param limits the deepest nesting, 1 for a flat object, and the most properties, nested ones included; none by default */
  constructor({ maxDepth = Infinity, maxProperties = Infinity } = {}) {
    this.#maxDepth = maxDepth;
    this.#maxProperties = maxProperties;
  }

  /** Whether an object has begun and not ended. */
  get isInside(): boolean {
    return this.#depth > 0;
  }

  /** Whether the object has a control character in a string, or a line break between its tokens. */
  get isUneven(): boolean {
    return this.#isUneven;
  }

  /** Starts a new object: the next byte is its opening brace. */
  begin(): void {
    this.#depth = 0;
    this.#properties = 0;
    this.#isInString = false;
    this.#isEscaped = false;
    this.#isUneven = false;
  }

  /**
   * Reads on in one pass with two lookup tables, at about 1 GB/s: a third faster than calls of `indexOf` for the quotes of
   * short strings.
   *
   * @param refusal returns what is thrown for an object that is refused
   * @returns the position after the closing brace of the object; -1 if it is not in these bytes
   */
  find(bytes: Buffer, from: number, refusal: (fault: ObjectFault) => Error): number {
    const { length } = bytes;
    let at = from;
    let isInString = this.#isInString;
    if (this.#isEscaped && at < length) {
      this.#isEscaped = false;
      this.#noteControl(bytes[at++]);
    }
    while (at < length) {
      if (isInString) {
        while (at < length && IN_STRING[bytes[at] ?? 0] === 0) at++;
        if (at >= length) break;
        const byte = bytes[at++];
        if (byte === QUOTE) isInString = false;
        else if (byte !== BACKSLASH) this.#isUneven = true;
        else if (at === length) this.#isEscaped = true;
        else this.#noteControl(bytes[at++]);
        continue;
      }
      while (at < length && BETWEEN_STRINGS[bytes[at] ?? 0] === 0) at++;
      if (at >= length) break;
      const byte = bytes[at++];
      if (byte === QUOTE) isInString = true;
      else if (byte === COLON) {
        if (++this.#properties > this.#maxProperties) throw refusal('properties');
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        if (++this.#depth > this.#maxDepth) throw refusal('depth');
      } else if (byte !== CLOSE_BRACE && byte !== CLOSE_BRACKET) this.#isUneven = true;
      else if (--this.#depth === 0) {
        if (byte === CLOSE_BRACE) return at;
        throw refusal('bracket');
      }
    }
    this.#isInString = isInString;
    return -1;
  }

  #noteControl(byte: number | undefined): void {
    if ((byte ?? 0) < SPACE) this.#isUneven = true;
  }
}

const [SPACE, ZERO, LETTER_U] = [0x20, 0x30, 0x75];
const IS_ESCAPE = byteTable(Buffer.from('"\\/bfnrt'));
const IS_HEX = byteTable(Buffer.from('0123456789abcdefABCDEF'));
/** The bytes with a meaning inside strings: the closing quote, escapes, and bytes that JSON forbids there. */
const IN_STRING = byteTable([QUOTE, BACKSLASH, ...Array.from({ length: SPACE }, (_, byte) => byte)]);
/** The bytes with a meaning outside strings: structure and line breaks. */
const BETWEEN_STRINGS = byteTable(Buffer.from('":{}[]\n\r'));
