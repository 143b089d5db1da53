import type { UpstreamAnswer } from '../../domain/errors/upstream-errors.js';
import type { AuditEntry } from './audit-entry.js';
import type { AuditDetail, AuditDetails, AuditNotes } from '../../records/audit-notes.js';
import type { AuditTrail } from './audit-trail.js';
import { MAX_NAMED_RECORDS } from './record-pseudonyms.js';

/** The caller and the operation. */
export type AuditedCall = Pick<
  AuditEntry,
  'actor' | 'network' | 'requestId' | 'operation' | 'scopes' | 'door' | 'policy' | 'what'
>;

export interface CallAuditOptions {
  /** Describes the call when it begins. */
  readonly describe: () => AuditedCall;
  /** Called once, when the call is in the log. */
  readonly onBegun?: () => void;
  /** Returns the pseudonym of a record, by the id that the caller knows. */
  readonly recordPseudonymOf: (id: string) => string;
}

/** The outcome of a call. */
export interface CallEnd {
  readonly status: number;
  /** The problem code of the response. */
  readonly problem?: string | undefined;
  /** What REDCap, or a server in front of it, answered in the place of data. */
  readonly upstream?: UpstreamAnswer | undefined;
  /** Whether the client disconnected or the response was interrupted. */
  readonly isAborted?: boolean | undefined;
  /** Whether this side interrupted it, because REDCap's answer broke off. */
  readonly hasFailed?: boolean | undefined;
}

/**
 * Writes two entries per call: one before anything is done, so that nothing is done without a trace, and one with the
 * outcome, before the call is confirmed. They share a `requestId`. A call that never begins leaves no entry.
 */
export class CallAudit implements AuditNotes {
  readonly #details: Record<string, AuditDetail> = {};
  /** Pseudonyms that the next entry names. */
  #records: string[] = [];
  #call: AuditedCall = {};
  #beginning: Promise<void> | undefined;
  #isBegun = false;

  /** @param options how the call is described when it begins */
  constructor(
    private readonly trail: AuditTrail,
    private readonly options: CallAuditOptions,
  ) {}

  /** Whether the call is in the log. */
  get isBegun(): boolean {
    return this.#isBegun;
  }

  /**
   * Enters the call, once, however often it is called.
   *
   * @throws {ProblemError} `audit_unavailable`: the call must not continue
   */
  begin(): Promise<void> {
    return (this.#beginning ??= this.#begin());
  }

  async #begin(): Promise<void> {
    this.#call = this.options.describe();
    await this.trail.record({ event: 'call.begun', ...this.#call, what: unlessEmpty(this.#call.what) });
    this.#isBegun = true;
    this.options.onBegun?.();
  }

  add(details: AuditDetails): void {
    Object.assign(this.#details, details);
  }

  async records(ids: Iterable<string>): Promise<void> {
    if (!this.#isBegun) return;
    for (const id of ids) {
      this.#records.push(this.options.recordPseudonymOf(id));
      if (this.#records.length === MAX_NAMED_RECORDS) await this.#enterRecords();
    }
  }

  async #enterRecords(): Promise<void> {
    const records = this.#records;
    this.#records = [];
    await this.trail.record({ event: 'call.records', ...this.#identity, what: { records } });
  }

  get #identity(): Omit<AuditedCall, 'what' | 'scopes'> {
    const { what: _asked, scopes: _scopes, ...identity } = this.#call;
    return identity;
  }

  /**
   * Adds counts from a JSON response: the number of listed entries, or of changed or deleted ones. Details added by a
   * service take precedence.
   */
  answered(body: unknown): void {
    if (this.#details.imported === undefined) this.add({ ...countsIn(body), ...this.#details });
  }

  /** @throws {ProblemError} `audit_unavailable`: the call must not be confirmed */
  end({ status, problem, upstream, isAborted = false, hasFailed = false }: CallEnd): Promise<void> {
    return this.trail.record({
      event: 'call.ended',
      ...this.#identity,
      outcome: hasFailed ? 'failed' : isAborted ? 'aborted' : outcomeOf(status),
      status,
      reason: problem,
      upstream,
      what: unlessEmpty({ ...this.#details, ...(this.#records.length > 0 && { records: this.#records }) }),
    });
  }
}

function unlessEmpty(details: AuditDetails = {}): AuditDetails | undefined {
  return Object.keys(details).length === 0 ? undefined : details;
}

function outcomeOf(status: number): AuditEntry['outcome'] {
  if (status < 400) return 'ok';
  return status < 500 ? 'refused' : 'failed';
}

function countsIn(body: unknown): AuditDetails {
  const { data } = (body ?? {}) as { readonly data?: unknown };
  if (Array.isArray(data)) return { rows: data.length };
  const { count } = (data ?? {}) as { readonly count?: unknown };
  return typeof count === 'number' ? { count } : {};
}
