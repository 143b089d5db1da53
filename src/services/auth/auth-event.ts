import { ignoringErrors } from '../../domain/errors/crf-error.js';
import type { Pseudonyms } from '../pseudonyms.js';

/** The types of events in the audit log. */
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

/** An event of the sign-in. Contains no address, user id or secret. */
export interface AuthEvent {
  readonly type: AuthEventType;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Distinguishes people without identifying them; stable as long as the API key does not change. */
  readonly actor?: string;
  /** The kind of reason: `domain`, `expired`, `blocked`. */
  readonly reason?: string;
}

/** Writes audit events. An error in the listener does not make a sign-in fail. */
export class AuthJournal {
  constructor(
    private readonly pseudonyms: Pseudonyms,
    private readonly clock: () => Date,
    private readonly listener: ((event: AuthEvent) => void) | undefined,
  ) {}

  /** @param subject the user id or the address; only its pseudonym is written */
  write(type: AuthEventType, subject?: string, reason?: string): void {
    ignoringErrors(() =>
      this.listener?.({
        type,
        at: this.clock().toISOString(),
        ...(subject !== undefined && { actor: this.pseudonyms.of(subject) }),
        ...(reason !== undefined && { reason }),
      }),
    );
  }
}
