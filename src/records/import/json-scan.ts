import { byteTable } from '../../buffers/byte-table.js';

/*
 * Functions that find the end of JSON values in bytes. -1 means that the caller has to parse the value.
 */

export const [QUOTE, COMMA, COLON, BACKSLASH, OPEN_BRACE, CLOSE_BRACE] = [
  0x22, 0x2c, 0x3a, 0x5c, 0x7b, 0x7d,
] as const;

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
    while (at < length && IS_PLAIN[bytes[at] ?? 0] === 1) at++;
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

const [ZERO, LETTER_U] = [0x30, 0x75];
const IS_ESCAPE = byteTable(Buffer.from('"\\/bfnrt'));
const IS_HEX = byteTable(Buffer.from('0123456789abcdefABCDEF'));
/** 1 for each byte that appears unescaped in a string. */
const IS_PLAIN = new Uint8Array(0x100).fill(1, 0x20);
IS_PLAIN[QUOTE] = 0;
IS_PLAIN[BACKSLASH] = 0;
