import { AsyncLocalStorage } from 'node:async_hooks';
import { isProblem, ProblemError } from '../../domain/errors/problem-error.js';
import {
  aFunction,
  hasMethods,
  optional,
  optionProblems,
  refuseProblems,
  type OptionRules,
} from '../../domain/identifiers/check-options.js';
import { ignoringErrors } from '../../domain/errors/crf-error.js';
import type { AuditEnd, AuditSink } from '../../gateways/audit/audit-sink.js';
import type { AuditEntry } from './audit-entry.js';
import type { AuditDetails } from '../../records/audit-notes.js';
import { NEW_CHAIN, nextLine, readLine, type ChainEnd } from './hash-chain.js';

/** The clock of an audit log, and what is called when it cannot be written. */
export interface AuditTrailOptions {
  readonly clock?: (() => Date) | undefined;
  /** The name of the project, which every entry then has. */
  readonly project?: string | undefined;
  /** Called once per outage, when the log cannot be written. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
  /** Called when the log can be written again. */
  readonly onResume?: (() => void) | undefined;
}

/** Details added to every entry that is written during a request. */
export type RequestMarks = Pick<AuditEntry, 'requestId' | 'network'>;

interface Waiting {
  readonly at: string;
  readonly entry: AuditEntry;
  readonly settle: (error?: unknown) => void;
}

const OPTIONS = {
  clock: aFunction,
  project: optional((value) => typeof value === 'string' && value !== '', 'must be the name of a project'),
  onFailure: aFunction,
  onResume: aFunction,
} satisfies OptionRules<keyof AuditTrailOptions>;

const NOT_A_SINK = { field: 'sink', message: 'must be an AuditFile, or have open, append, reopen and close' };

/** How many entries may wait for the disk. Beyond this limit the log counts as unwritable. */
const MAX_WAITING = 10_000;

/**
 * The audit log: who did what to which data (GW-04, LOG-04). It is separate from the request log and independent of its
 * level.
 *
 * Entries are written in the order of arrival, each chained to the previous one. Entries that arrive during a write are
 * written together, so that many calls share one `fsync`.
 */
export class AuditTrail {
  readonly #sink: AuditSink;
  readonly #clock: () => Date;
  readonly #marks: Pick<AuditEntry, 'project'>;
  readonly #onFailure: (error: unknown) => void;
  readonly #onResume: () => void;
  readonly #request = new AsyncLocalStorage<RequestMarks>();
  #chain: ChainEnd = NEW_CHAIN;
  #isAfterTornLine = false;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #hasFailed = false;
  /** The number of entries that could not be written and that no written entry has reported yet. */
  #lost = 0;
  #lostInAll = 0;

  /** @throws {ConfigurationError} names every invalid option, but never its value */
  constructor(sink: AuditSink, options: AuditTrailOptions = {}) {
    refuseProblems([
      ...(hasMethods(sink, 'open', 'append', 'reopen', 'close') ? [] : [NOT_A_SINK]),
      ...optionProblems(options, OPTIONS),
    ]);
    this.#sink = sink;
    this.#clock = options.clock ?? (() => new Date());
    this.#marks = options.project === undefined ? {} : { project: options.project };
    this.#onFailure = options.onFailure ?? (() => undefined);
    this.#onResume = options.onResume ?? (() => undefined);
  }

  /**
   * Continues at the end of the log.
   *
   * @param version version of the service, for the first entry
   * @param what details of the first entry
   * @throws {ProblemError} `audit_unavailable`: the log cannot be opened, or its last line is not part of a chain
   */
  async start(version?: string, what?: AuditDetails): Promise<void> {
    try {
      await this.#continue();
      await this.record({ event: 'service.started', version, what });
    } catch (cause) {
      await this.#sink.close();
      throw isProblem(cause, 'audit_unavailable') ? cause : new ProblemError('audit_unavailable', { cause });
    }
  }

  /**
   * Writes an entry.
   *
   * @returns resolves when the entry has been written durably
   * @throws {ProblemError} `audit_unavailable`: it could not be written
   */
  record(entry: AuditEntry): Promise<void> {
    if (this.#waiting.length >= MAX_WAITING) {
      const error = new ProblemError('audit_unavailable');
      this.#lose(1, error);
      return Promise.reject(error);
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({
        at: this.#clock().toISOString(),
        entry: { ...this.#marks, ...entry, ...this.#request.getStore() },
        settle: (error) =>
          error === undefined ? resolve() : reject(new ProblemError('audit_unavailable', { cause: error })),
      });
      this.#writing ??= this.#writeAll();
    });
  }

  /** Writes an entry without waiting for it. `settled` tells later whether it was written. */
  note(entry: AuditEntry): void {
    this.record(entry).catch(() => undefined);
  }

  /** Whether the last entry could not be written. */
  get isFailing(): boolean {
    return this.#hasFailed;
  }

  /** The number of entries that could not be written since the start, for `settled`. */
  get lostInAll(): number {
    return this.#lostInAll;
  }

  /**
   * Waits for all noted entries.
   *
   * @param lostBefore `lostInAll` before the first of them was noted; by default, from now on
   * @throws {ProblemError} `audit_unavailable`: an entry has been lost since then, whether or not the log can be
   *   written again
   */
  async settled(lostBefore = this.#lostInAll): Promise<void> {
    await this.#writing;
    if (this.#hasFailed || this.#lostInAll > lostBefore) throw new ProblemError('audit_unavailable');
  }

  /**
   * Checks that the log can be written. Call it before work that must be audited. After a failure it retries to write,
   * with an entry that records the outage.
   *
   * @throws {ProblemError} `audit_unavailable`: the log cannot be written
   */
  async checkWritable(): Promise<void> {
    if (this.#hasFailed) await this.record({ event: 'audit.resumed' });
  }

  /** Adds the details of a request to every entry written during `work`. */
  within<Result>(marks: RequestMarks, work: () => Result): Result {
    return this.#request.run(marks, work);
  }

  /** Reopens the file before the next entry. Call after a rotation. */
  reopen(): void {
    this.#sink.reopen();
  }

  /** Writes the pending entries and a last one. */
  async close(): Promise<void> {
    await this.record({ event: 'service.stopped' }).catch(() => undefined);
    await this.#sink.close();
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      await this.#write(batch);
    }
    this.#writing = undefined;
  }

  /** Continues the chain at the end of the log, unless this process knows of later lines, which were then removed. */
  async #continue(): Promise<void> {
    const opened = await this.#sink.open();
    this.#isAfterTornLine ||= opened.isTorn ?? false;
    const end = chainEndOf(opened);
    if (end.seq > this.#chain.seq) this.#chain = end;
  }

  async #write(batch: readonly Waiting[]): Promise<void> {
    // More may be refused during the write. The next entry reports those.
    const reported = this.#lost;
    try {
      if (this.#sink.isEndUnknown) await this.#continue();
      const { text, end } = this.#chained(batch, reported);
      await this.#sink.append(text);
      this.#chain = end;
      this.#lost -= reported;
      this.#isAfterTornLine = false;
      if (this.#lost === 0) this.#resume();
      for (const { settle } of batch) settle();
    } catch (error) {
      this.#lose(batch.length, error);
      for (const { settle } of batch) settle(error);
    }
  }

  /** @param lost the number of lost entries that the first entry reports */
  #chained(batch: readonly Waiting[], lost: number): { readonly text: string; readonly end: ChainEnd } {
    let end = this.#chain;
    let text = '';
    for (const [index, { at, entry }] of batch.entries()) {
      const isFirst = index === 0;
      const next = nextLine(end, {
        at,
        ...entry,
        ...(isFirst && lost > 0 && { lost }),
        ...(isFirst && this.#isAfterTornLine && { afterTornLine: true }),
      });
      text += `${next.line}\n`;
      end = next.end;
    }
    return { text, end };
  }

  #lose(entries: number, error: unknown): void {
    this.#lost += entries;
    this.#lostInAll += entries;
    if (!this.#hasFailed) ignoringErrors(() => this.#onFailure(error));
    this.#hasFailed = true;
  }

  #resume(): void {
    if (this.#hasFailed) ignoringErrors(this.#onResume);
    this.#hasFailed = false;
  }
}

/**
 * Returns where a chain continues.
 *
 * @throws {ProblemError} `audit_unavailable`: the last line is not an entry of a chain
 */
export function chainEndOf({ lastLine }: AuditEnd): ChainEnd {
  if (lastLine === undefined) return NEW_CHAIN;
  const last = readLine(lastLine);
  if (last === undefined) throw new ProblemError('audit_unavailable');
  return { seq: last.seq, hash: last.hash };
}
