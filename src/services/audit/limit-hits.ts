import type { AuditEntry } from './audit-entry.js';
import type { AuditTrail } from './audit-trail.js';

/** How many callers are distinguished per minute. All further callers are counted as one. */
const MAX_CALLERS = 1000;

/**
 * Records that a caller was refused because of a limit: once a minute per caller, because a caller without backoff is
 * refused very often.
 */
export class LimitHits {
  readonly #recorded = new Set<string>();
  #minute = 0;

  /** @param clock milliseconds since the epoch */
  constructor(
    private readonly trail: Pick<AuditTrail, 'note'>,
    private readonly clock: () => number = Date.now,
  ) {}

  hit(entry: Omit<AuditEntry, 'event'>): void {
    const minute = Math.floor(this.clock() / 60_000);
    if (minute !== this.#minute) this.#recorded.clear();
    this.#minute = minute;
    const who = this.#recorded.size < MAX_CALLERS ? `${entry.actor ?? ''} ${entry.network ?? ''}` : '';
    if (this.#recorded.has(who)) return;
    this.#recorded.add(who);
    this.trail.note({ ...entry, event: 'limit.hit', outcome: 'refused' });
  }
}
