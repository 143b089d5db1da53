/**
 * Writes the JSON of one object in one line: blanks between tokens are dropped, control characters inside strings
 * become `\u` escapes. Other bytes stay as they are, UTF-8 or not.
 */
export function toOneLine(json: Buffer): Buffer {
  const line = Buffer.allocUnsafe(json.length + controlsIn(json) * (LONGEST_ESCAPE - 1));
  let length = 0;
  let isInString = false;
  let isEscaped = false;
  for (const byte of json) {
    if (byte <= SPACE && !isInString) continue;
    if (byte < SPACE) {
      // A backslash before a control character is no escape of JSON: without it the character's own escape is.
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
