import { createHash } from 'node:crypto';

/** The previous hash in the first line of a log. */
export const CHAIN_START = '0'.repeat(64);

/** The end of a chain: number and hash of its last line. */
export interface ChainEnd {
  readonly seq: number;
  readonly hash: string;
}

export const NEW_CHAIN: ChainEnd = { seq: 0, hash: CHAIN_START };

/**
 * Creates the next line of a chain: a JSON object with its number, its content, the hash of the previous line (`prev`)
 * and a hash of all of these (`hash`). The hash comes last, so that it can be verified on the original bytes.
 */
export function nextLine(end: ChainEnd, content: object): { readonly line: string; readonly end: ChainEnd } {
  const seq = end.seq + 1;
  const open = JSON.stringify({ seq, ...content, prev: end.hash }).slice(0, -1);
  const hash = sha256(open);
  return { line: withHash(open, hash), end: { seq, hash } };
}

/** @returns whether a text can be the start of the line that follows on `end`, as a crash leaves it */
export function isUnfinished(text: string, end: ChainEnd): boolean {
  const start = `{"seq":${end.seq + 1},`;
  if (!text.startsWith(start) && !start.startsWith(text)) return false;
  const hashAt = text.lastIndexOf(',"hash":"');
  if (hashAt === -1) return true;
  const open = text.slice(0, hashAt);
  const line = withHash(open, sha256(open));
  return text !== line && line.startsWith(text);
}

function withHash(open: string, hash: string): string {
  return `${open},"hash":"${hash}"}`;
}

/** A line that was read from a log. */
export interface ChainedLine extends ChainEnd {
  readonly prev: string;
  readonly event: string;
  /** Set on the first line after one that a crash left incomplete. */
  readonly isAfterTornLine: boolean;
}

/** @returns the position of a line in the chain; undefined if it is not part of a chain or was altered */
export function readLine(line: string): ChainedLine | undefined {
  const [, open, hash] = LINE.exec(line) ?? [];
  if (open === undefined || hash === undefined || sha256(open) !== hash) return undefined;
  try {
    const { seq, prev, event, afterTornLine } = JSON.parse(line) as Readonly<Record<string, unknown>>;
    if (typeof seq !== 'number' || typeof prev !== 'string' || typeof event !== 'string') return undefined;
    return { seq, hash, prev, event, isAfterTornLine: afterTornLine === true };
  } catch {
    return undefined;
  }
}

const LINE = /^(\{.*),"hash":"([0-9a-f]{64})"\}$/;

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
