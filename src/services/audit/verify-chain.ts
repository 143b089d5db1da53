import {
  CHAIN_START,
  isUnfinished,
  NEW_CHAIN,
  readLine,
  type ChainEnd,
  type ChainedLine,
} from './hash-chain.js';

/** A place where the chain is broken. */
export interface ChainFault {
  /** The name of the file. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** The end of a sentence that begins with file and line. */
  readonly message: string;
}

/** The result of verifying an audit log. */
export interface ChainReport {
  readonly lines: number;
  /** The number of the first line. It is more than 1 if older files were not given. */
  readonly firstSeq: number | undefined;
  /** The end of the chain. If it is stored elsewhere, it shows later whether lines were removed from the end. */
  readonly end: ChainEnd | undefined;
  /** Lines that a crash left incomplete. They were never confirmed to a caller. */
  readonly torn: number;
  /**
   * The same at the end of the log, where no later line shows that it was a crash: normally one or none. As after a line
   * that was removed from the end, only the stored end of the chain tells whether a whole line was cut.
   */
  readonly unfinished: number;
  readonly faults: readonly ChainFault[];
}

/** A file of an audit log with its lines. */
export interface AuditFileLines {
  readonly name: string;
  readonly lines: AsyncIterable<string>;
}

/** Maximum number of reported faults. Those after the first have little meaning. */
const MAX_FAULTS = 20;

/**
 * Checks that no line of an audit log was altered, removed, added or moved.
 *
 * @param files in the order in which they were written, oldest first. The chain continues from file to file. Anything
 *   before the first file is not checked.
 */
export async function verifyChain(files: Iterable<AuditFileLines>): Promise<ChainReport> {
  const check = new ChainCheck();
  for (const { name, lines } of files) {
    let number = 0;
    for await (const line of lines) {
      number += 1;
      if (line !== '') check.take(line, { file: name, line: number });
    }
  }
  return check.report();
}

const UNREADABLE = 'was altered, or is not a line of an audit log';

type Place = Pick<ChainFault, 'file' | 'line'>;

class ChainCheck {
  readonly #faults: ChainFault[] = [];
  #lines = 0;
  #torn = 0;
  #first: ChainedLine | undefined;
  #last: ChainedLine | undefined;
  /** The unreadable lines since the last readable one. Only the next one shows whether crashes caused them. */
  #unread = 0;
  #unreadPlaces: Place[] = [];
  /** How many of them are the start of the next line. */
  #unfinished = 0;

  take(line: string, place: Place): void {
    this.#lines += 1;
    const read = readLine(line);
    if (read === undefined) {
      this.#unread += 1;
      if (isUnfinished(line, this.#last ?? NEW_CHAIN)) this.#unfinished += 1;
      if (this.#unreadPlaces.length < MAX_FAULTS) this.#unreadPlaces.push(place);
      return;
    }
    this.#settleUnread(read.isAfterTornLine);
    const message = this.#last === undefined ? undefined : breakBetween(this.#last, read);
    if (message !== undefined) this.#fault(place, message);
    this.#first ??= read;
    this.#last = read;
  }

  report(): ChainReport {
    const unfinished = this.#unfinished === this.#unread ? this.#unread : 0;
    if (unfinished === 0) this.#settleUnread(false);
    return {
      lines: this.#lines,
      firstSeq: this.#first?.seq,
      end: this.#last && { seq: this.#last.seq, hash: this.#last.hash },
      torn: this.#torn,
      unfinished,
      faults: this.#faults,
    };
  }

  #settleUnread(areTorn: boolean): void {
    if (areTorn) this.#torn += this.#unread;
    else for (const place of this.#unreadPlaces) this.#fault(place, UNREADABLE);
    this.#unread = 0;
    this.#unfinished = 0;
    this.#unreadPlaces = [];
  }

  #fault(place: Place, message: string): void {
    if (this.#faults.length < MAX_FAULTS) this.#faults.push({ ...place, message });
  }
}

function breakBetween(before: ChainedLine, after: ChainedLine): string | undefined {
  if (after.prev === before.hash && after.seq === before.seq + 1) return undefined;
  if (after.prev === CHAIN_START) return 'begins a new chain: what stood between is missing';
  if (after.seq > before.seq + 1) return `follows on line ${before.seq} as ${after.seq}: lines are missing`;
  return 'does not follow on the line before it: lines were moved, added or altered';
}
