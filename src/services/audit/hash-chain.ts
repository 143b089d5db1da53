import { createHash } from 'node:crypto';

/** What the first line of a log names as the line before it. */
export const CHAIN_START = '0'.repeat(64);

/** Where a chain stands: the number and the hash of its last line. */
export interface ChainEnd {
  readonly seq: number;
  readonly hash: string;
}

export const NEW_CHAIN: ChainEnd = { seq: 0, hash: CHAIN_START };

/**
 * Makes the next line of a chain: a JSON object with its number, what is told, the hash of the line before (`prev`) and a
 * hash of all that (`hash`), which comes last so that it can be checked on the bytes as they stand.
 */
export function nextLine(end: ChainEnd, told: object): { readonly line: string; readonly end: ChainEnd } {
  const seq = end.seq + 1;
  const open = JSON.stringify({ seq, ...told, prev: end.hash }).slice(0, -1);
  const hash = sha256(open);
  return { line: `${open},"hash":"${hash}"}`, end: { seq, hash } };
}

/** A line, as it was read back. */
export interface ChainedLine extends ChainEnd {
  readonly prev: string;
  readonly event: string;
  /** Set on the first line behind one that a crash left unfinished. */
  readonly isAfterTornLine: boolean;
}

/** @returns what a line says of its place in the chain; nothing when it is no line of a chain, or was altered */
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
