import type { Pseudonyms } from '../pseudonyms.js';

/** What happened, for the audit log. */
export type AuthEventType =
  | 'link.requested'
  | 'link.refused'
  | 'link.used'
  | 'link.failed'
  | 'code.shown'
  | 'code.failed'
  | 'user-id.unresolved'
  | 'session.created'
  | 'session.ended'
  | 'session.end-pending'
  | 'account.sessions-ended'
  | 'account.deleted'
  | 'account.deletion-failed'
  | 'account.notice-failed';

/** Holds neither an address, nor a user id, nor a secret. */
export interface AuthEvent {
  readonly type: AuthEventType;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Distinguishes people without naming them; stable as long as the API key stays the same. */
  readonly actor?: string;
  /** Why, as a class: `domain`, `expired`, `blocked`. */
  readonly reason?: string;
}

/** Writes audit events. A listener that fails must not fail a sign-in. */
export class AuthJournal {
  constructor(
    private readonly pseudonyms: Pseudonyms,
    private readonly clock: () => Date,
    private readonly listener: ((event: AuthEvent) => void) | undefined,
  ) {}

  /** @param subject the user id or the address; only its pseudonym is written */
  write(type: AuthEventType, subject?: string, reason?: string): void {
    if (this.listener === undefined) return;
    try {
      this.listener({
        type,
        at: this.clock().toISOString(),
        ...(subject !== undefined && { actor: this.pseudonyms.of(subject) }),
        ...(reason !== undefined && { reason }),
      });
    } catch {
      // The journal's own trouble: whoever listens reports it.
    }
  }
}
