/** What this program itself sends to a terminal: colours, the line of a progress, and those of a question. */
const OWN = /^(?:\r?\u001b\[\d*[GJK]|\u001b\[[\d;]*m)$/;

/** The same, and every control character but tab and line feed, and those that change the direction of text. */
const CONTROLS =
  /\r?\u001b\[\d*[GJK]|\u001b\[[\d;]*m|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Keeps text of files and of REDCap from controlling the terminal: its title, its clipboard, or what was printed before.
 * Tables and names are printed without control characters anyway; this also holds for rows, messages, and whatever is
 * printed in future. A file or a pipe gets every byte as it is.
 */
export function guardTerminal(stream: NodeJS.WriteStream): void {
  if (!stream.isTTY) return;
  const write = stream.write.bind(stream) as (...given: unknown[]) => boolean;
  stream.write = (chunk: unknown, ...rest: unknown[]) => write(harmless(chunk), ...rest);
}

function harmless(chunk: unknown): unknown {
  if (chunk instanceof Uint8Array) return Buffer.from(withoutControls(Buffer.from(chunk).toString('utf8')));
  return typeof chunk === 'string' ? withoutControls(chunk) : chunk;
}

function withoutControls(text: string): string {
  return text.replace(CONTROLS, (found) => (OWN.test(found) ? found : ' '));
}
