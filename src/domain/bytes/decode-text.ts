import { say, type Sentence } from '../errors/sentences.js';

/** The encodings that texts are read in. UTF-8 is the default. */
export const TEXT_ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;

export type TextEncoding = (typeof TEXT_ENCODINGS)[number];

export interface DecodeOptions {
  /** The encoding that the caller has stated. */
  readonly encoding?: TextEncoding | undefined;
  /** What the sentence calls the text; `file` by default. */
  readonly input?: 'file' | 'body' | undefined;
  /** Whether the caller can state an encoding, so that a refusal may suggest one. */
  readonly takesEncoding?: boolean | undefined;
}

/**
 * Decodes a whole text, without its byte order mark. Replacement characters would be stored, so none are made.
 *
 * @returns the text, or what is wrong with it
 */
export function decodeText(bytes: Uint8Array, options: DecodeOptions = {}): string | Sentence {
  const { encoding, input = 'file', takesEncoding = false } = options;
  const guessed = takesEncoding ? (guess: string) => guess : () => undefined;
  const wrong = unreadableHead(bytes, encoding, guessed);
  if (wrong !== undefined) return wrong;
  try {
    const decoder = new TextDecoder(encoding ?? 'utf-8', { fatal: true });
    // As a stream: for a whole text, some versions of Node take Latin-1 for Windows-1252.
    const text = decoder.decode(bytes, { stream: true }) + decoder.decode();
    const declared = encoding === undefined ? otherDeclared(text) : undefined;
    if (declared === undefined) return text;
    return say('other_encoding', { encoding: declared, input, guess: guessOf(declared, guessed) });
  } catch {
    if (encoding !== undefined && encoding !== 'utf-8') return notEncoding(encoding);
    const declared = otherDeclared(
      Buffer.from(bytes.subarray(0, LONGEST_DECLARATION)).toString('latin1'),
      true,
    );
    if (declared === undefined) return say('not_utf8', { input, guess: guessed('windows-1252?') });
    return say('other_encoding', { encoding: declared, input, guess: guessOf(declared, guessed) });
  }
}

/** Returns what is wrong with a text of which the first bytes show that it is another thing than the caller has said. */
export function unreadableHead(
  head: Uint8Array,
  stated: TextEncoding | undefined,
  guessed: (guess: TextEncoding) => string | undefined = (guess) => guess,
): Sentence | undefined {
  if (WORKBOOKS.some((mark) => mark.every((byte, at) => head[at] === byte))) return say('is_workbook');
  const marked = MARKS.find(([, mark]) => mark.every((byte, at) => head[at] === byte))?.[0];
  if (stated !== undefined && stated !== 'utf-8')
    return marked === undefined || marked === stated ? undefined : notEncoding(stated);
  const found = marked ?? encodingByNul(head);
  if (found === undefined || found === 'utf-8') return undefined;
  return say('is_utf16', { encoding: ENCODING_NAMES[found], option: guessed(found) });
}

/** Every second byte of Latin text in UTF-16 is NUL. */
function encodingByNul([first, second]: Uint8Array): TextEncoding | undefined {
  if (first === undefined || second === undefined || (first === 0) === (second === 0)) return undefined;
  return first === 0 ? 'utf-16be' : 'utf-16le';
}

const notEncoding = (encoding: TextEncoding): Sentence =>
  say('not_encoding', { encoding: ENCODING_NAMES[encoding] });

/** Returns the encoding that an XML document declares, if it is not UTF-8 and makes a difference. */
function otherDeclared(text: string, hasOther = /[^\0-\x7f]/.test(text)): string | undefined {
  const declared = XML_ENCODING.exec(text.slice(0, LONGEST_DECLARATION))?.[1];
  if (declared === undefined || !hasOther) return undefined;
  return /^(?:utf-?8|us-ascii)$/i.test(declared) ? undefined : declared;
}

function guessOf(declared: string, guessed: (guess: string) => string | undefined): string | undefined {
  try {
    const { encoding } = new TextDecoder(declared); // `iso-8859-1` is read as Windows-1252, as browsers do
    return TEXT_ENCODINGS.some((known) => known === encoding) ? guessed(encoding) : undefined;
  } catch {
    return undefined;
  }
}

const XML_ENCODING = /^\s*<\?xml\s[^?>]*\bencoding\s*=\s*["']([A-Za-z][\w.-]{0,39})["']/;
const LONGEST_DECLARATION = 200;

export const ENCODING_NAMES: Readonly<Record<TextEncoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 (little endian)',
  'utf-16be': 'UTF-16 (big endian)',
  'windows-1252': 'Windows-1252',
};
const MARKS: readonly (readonly [TextEncoding, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];
/** The first bytes of `.xlsx` and `.ods` (ZIP), and of `.xls`. */
const WORKBOOKS = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
] as const;
