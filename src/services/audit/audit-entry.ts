import type { UpstreamAnswer } from '../../domain/errors/upstream-errors.js';
import type { AuditDetails } from '../../records/audit-notes.js';
import type { AuthEventType } from '../auth/auth-event.js';

/** The types of events. */
export type AuditEventType =
  | AuthEventType
  /** A call was accepted. Nothing has been done yet. */
  | 'call.begun'
  /** Records that a call reads or changes, if they are too many for its last entry. */
  | 'call.records'
  /** The outcome of a call. */
  | 'call.ended'
  /** A call was refused because of its credential or its scopes. */
  | 'call.refused'
  | 'limit.hit'
  | 'circuit.opened'
  | 'circuit.closed'
  | 'service.started'
  | 'service.stopped'
  /** Writing has resumed after a period in which the log could not be written. */
  | 'audit.resumed';

/** The content of an entry. Never contains a value of a record, an address or a secret. */
export interface AuditEntry {
  readonly event: AuditEventType;
  /** The project, by its name in `PROJECTS_FILE`, in the log of one of several. */
  readonly project?: string | undefined;
  /** `key:portal`, `session:<pseudonym>` or `anonymous`. For sign-in events, the pseudonym. */
  readonly actor?: string | undefined;
  /** The network of the caller, not the address. */
  readonly network?: string | undefined;
  readonly requestId?: string | undefined;
  /** The operation id in the OpenAPI document: `ExportRecords`. */
  readonly operation?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  /** `redcap` for a call of REDCap's own API. */
  readonly door?: 'redcap' | undefined;
  /** The policy of the caller. */
  readonly policy?: string | undefined;
  /** `ok`, `refused`, `failed`, or `aborted` if the client disconnected. */
  readonly outcome?: 'ok' | 'refused' | 'failed' | 'aborted' | undefined;
  readonly status?: number | undefined;
  /** The code of the problem, or the kind of reason. */
  readonly reason?: string | undefined;
  /** What REDCap, or a server in front of it, answered in the place of data: its status, and words of a fixed list. */
  readonly upstream?: UpstreamAnswer | undefined;
  readonly what?: AuditDetails | undefined;
  readonly lost?: number | undefined;
  readonly version?: string | undefined;
}
