import type { AuditDetails, AuditEntry, AuditNotes } from './audit-entry.js';
import type { AuditTrail } from './audit-trail.js';

/** Who calls what. */
export type AuditedCall = Pick<
  AuditEntry,
  'actor' | 'network' | 'requestId' | 'operation' | 'scopes' | 'what'
>;

/** How a call ended. */
export interface CallEnd {
  readonly status: number;
  /** The code of the problem that was answered. */
  readonly problem?: string | undefined;
  /** The client went away, or the answer broke off. */
  readonly isAborted?: boolean | undefined;
}

/**
 * One call in the audit log, twice: before anything is done, so that nothing is done that leaves no trace, and before it is
 * confirmed, with what became of it. `requestId` holds the two together.
 */
export class CallAudit implements AuditNotes {
  readonly #trail: AuditTrail;
  readonly #call: AuditedCall;
  #details: AuditDetails = {};

  constructor(trail: AuditTrail, call: AuditedCall) {
    this.#trail = trail;
    this.#call = call;
  }

  /** @throws {AuditUnavailableError} the call must not go on */
  begin(): Promise<void> {
    return this.#trail.record({ event: 'call.begun', ...this.#call, what: unlessEmpty(this.#call.what) });
  }

  add(details: AuditDetails): void {
    this.#details = { ...this.#details, ...details };
  }

  /**
   * Takes down what a JSON answer says of itself: how many entries it lists, or how many were changed or deleted. What a
   * service took down stands.
   */
  answered(body: unknown): void {
    if (this.#details.imported === undefined) this.add({ ...countsIn(body), ...this.#details });
  }

  /** @throws {AuditUnavailableError} the call must not be confirmed */
  end({ status, problem, isAborted = false }: CallEnd): Promise<void> {
    const { what: _asked, scopes: _scopes, ...call } = this.#call;
    return this.#trail.record({
      event: 'call.ended',
      ...call,
      outcome: isAborted ? 'aborted' : outcomeOf(status),
      status,
      reason: problem,
      what: unlessEmpty(this.#details),
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
