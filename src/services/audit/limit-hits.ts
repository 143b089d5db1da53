import type { AuditEntry } from './audit-entry.js';
import type { AuditTrail } from './audit-trail.js';

/** How many callers are distinguished in one minute; the others are counted as one. */
const MAX_CALLERS = 1000;

/** Enters that somebody was refused for a limit: once a minute for each, since whoever runs wild is refused very often. */
export class LimitHits {
  readonly #trail: Pick<AuditTrail, 'note'>;
  readonly #clock: () => number;
  readonly #recorded = new Set<string>();
  #minute = 0;

  /** @param clock milliseconds since the epoch */
  constructor(trail: Pick<AuditTrail, 'note'>, clock: () => number = Date.now) {
    this.#trail = trail;
    this.#clock = clock;
  }

  hit(entry: Omit<AuditEntry, 'event'>): void {
    const minute = Math.floor(this.#clock() / 60_000);
    if (minute !== this.#minute) this.#recorded.clear();
    this.#minute = minute;
    const who = this.#recorded.size < MAX_CALLERS ? `${entry.actor ?? ''} ${entry.network ?? ''}` : '';
    if (this.#recorded.has(who)) return;
    this.#recorded.add(who);
    this.#trail.note({ ...entry, event: 'limit.hit', outcome: 'refused' });
  }
}
