import type { AuditEntry } from './audit-entry.js';
import type { AuditTrail } from './audit-trail.js';

/** How many callers are told apart in one minute; the others are told as one. */
const MAX_CALLERS = 1000;

/** Enters that somebody was refused for a limit: once a minute for each, since whoever runs wild is refused very often. */
export class LimitHits {
  readonly #trail: Pick<AuditTrail, 'note'>;
  readonly #clock: () => number;
  readonly #told = new Set<string>();
  #minute = 0;

  /** @param clock milliseconds since the epoch */
  constructor(trail: Pick<AuditTrail, 'note'>, clock: () => number = Date.now) {
    this.#trail = trail;
    this.#clock = clock;
  }

  hit(entry: Omit<AuditEntry, 'event'>): void {
    const minute = Math.floor(this.#clock() / 60_000);
    if (minute !== this.#minute) this.#told.clear();
    this.#minute = minute;
    const who = this.#told.size < MAX_CALLERS ? `${entry.actor ?? ''} ${entry.network ?? ''}` : '';
    if (this.#told.has(who)) return;
    this.#told.add(who);
    this.#trail.note({ ...entry, event: 'limit.hit', outcome: 'refused' });
  }
}
