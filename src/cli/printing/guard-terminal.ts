import { StringDecoder } from 'node:string_decoder';
import type { Output } from '../io.js';

/** What begins a progress line or a question of this program; nothing of REDCap is written in front of it. */
const OWN = /^(?:\r?\u001b\[(?:K|\d+G|0?J))?/;

/** Every control character but tab and line feed, and those that change the direction of text. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Keeps text of files and of REDCap from controlling the terminal: its colours, its title, its clipboard, or what was
 * printed before. Tables and names are printed without control characters anyway; this also holds for rows, messages, and
 * whatever is printed in future. A file or a pipe gets every byte as it is.
 *
 * @param hasProgress whether the program draws on it: standard error
 */
export function guardTerminal(stream: Output, hasProgress = false): void {
  if (!stream.isTTY) return;
  const write = stream.write.bind(stream) as (...given: unknown[]) => boolean;
  // A chunk of bytes may end within a character.
  const decoder = new StringDecoder('utf8');
  const harmless = (chunk: unknown): unknown => {
    const text = chunk instanceof Uint8Array ? decoder.write(Buffer.from(chunk)) : chunk;
    if (typeof text !== 'string') return chunk;
    const own = hasProgress ? (OWN.exec(text)?.[0] ?? '') : '';
    return own + text.slice(own.length).replaceAll('\r\n', '\n').replace(CONTROLS, ' ');
  };
  stream.write = (chunk: unknown, ...rest: unknown[]) => write(harmless(chunk), ...rest);
}
