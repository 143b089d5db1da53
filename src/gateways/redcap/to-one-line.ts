/**
 * Writes the JSON of one object on one line. Whitespace between tokens is removed, and control characters inside
 * strings become `\u` escapes. All other bytes remain unchanged, whether they are UTF-8 or not.
 */
export function toOneLine(json: Buffer): Buffer {
  const line = Buffer.allocUnsafe(json.length + controlsIn(json) * (LONGEST_ESCAPE - 1));
  let length = 0;
  let isInString = false;
  let isEscaped = false;
  for (const byte of json) {
    if (byte <= SPACE && !isInString) continue;
    if (byte < SPACE) {
      // A backslash before a control character is not a JSON escape. It is dropped, and the control character is
      // escaped.
      if (isEscaped) length--;
      length += line.write(escapeOf(byte), length, 'latin1');
      isEscaped = false;
      continue;
    }
    line[length++] = byte;
    if (byte === QUOTE && !isEscaped) isInString = !isInString;
    isEscaped = isInString && byte === BACKSLASH && !isEscaped;
  }
  return line.subarray(0, length);
}

const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `\u0000` */
const LONGEST_ESCAPE = 6;

function controlsIn(json: Buffer): number {
  let count = 0;
  for (const byte of json) if (byte < SPACE) count++;
  return count;
}

function escapeOf(byte: number): string {
  return `\\u${byte.toString(16).padStart(4, '0')}`;
}
