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
  /** The chains of several processes, by the last file of each. */
  readonly chains: readonly { readonly file: string; readonly end: ChainEnd }[];
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
 * @param files in the order in which they were written, oldest first. A chain continues from file to file; a file that
 *   begins one, or continues one of several, as those of replicas do, is checked as that. Anything before the first file of
 *   a chain is not checked.
 */
export async function verifyChain(files: Iterable<AuditFileLines>): Promise<ChainReport> {
  const check = new ChainCheck();
  for (const { name, lines } of files) {
    let number = 0;
    for await (const line of lines) {
      number += 1;
      if (line !== '') check.take(line, { file: name, line: number }, number === 1);
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
  readonly #chains: { readonly file: string; readonly end: ChainedLine }[] = [];
  /** The unreadable lines since the last readable one. Only the next one shows whether crashes caused them. */
  #unread = 0;
  #unreadPlaces: Place[] = [];
  /** How many of them are the start of the next line. */
  #unfinished = 0;

  take(line: string, place: Place, isFirst: boolean): void {
    this.#lines += 1;
    const read = readLine(line);
    if (read === undefined) {
      this.#unread += 1;
      if (isUnfinished(line, this.#last ?? NEW_CHAIN)) this.#unfinished += 1;
      if (this.#unreadPlaces.length < MAX_FAULTS) this.#unreadPlaces.push(place);
      return;
    }
    this.#settleUnread(read.isAfterTornLine);
    if (isFirst) this.#last = this.#continuedBy(read);
    const message = this.#last === undefined ? undefined : breakBetween(this.#last, read);
    if (message !== undefined) this.#fault(place, message);
    this.#first ??= read;
    this.#last = read;
    if (isFirst) this.#chains.push({ file: place.file, end: read });
    else this.#chains.splice(-1, 1, { file: place.file, end: read });
  }

  /** Returns the end of the chain that the first line of a file continues; undefined if it begins one. */
  #continuedBy({ prev }: ChainedLine): ChainedLine | undefined {
    const at = this.#chains.findIndex(({ end }) => end.hash === prev);
    const [continued] = at === -1 ? [] : this.#chains.splice(at, 1);
    if (continued !== undefined) return continued.end;
    return prev === CHAIN_START ? undefined : this.#last;
  }

  report(): ChainReport {
    const unfinished = this.#unfinished === this.#unread ? this.#unread : 0;
    if (unfinished === 0) this.#settleUnread(false);
    return {
      lines: this.#lines,
      chains: this.#chains.map(({ file, end: { seq, hash } }) => ({ file, end: { seq, hash } })),
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
