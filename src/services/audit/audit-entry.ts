import type { CallOptions } from '../../gateways/redcap/crf-client.js';
import type { AuthEventType } from '../auth/auth-event.js';

/** What happened. */
export type AuditEventType =
  | AuthEventType
  /** A call was let in, and nothing was done yet. */
  | 'call.begun'
  /** What became of it. */
  | 'call.ended'
  /** A call was refused for its credential or its scopes. */
  | 'call.refused'
  | 'limit.hit'
  | 'circuit.opened'
  | 'circuit.closed'
  | 'service.started'
  | 'service.stopped'
  /** The log could not be written for a while. */
  | 'audit.resumed';

/** What the audit log may say. Never a value of a record, an address or a secret. */
export interface AuditEntry {
  readonly event: AuditEventType;
  /** `key:portal`, `session:<pseudonym>`, `anonymous`; of an event of the sign-in the pseudonym. */
  readonly actor?: string | undefined;
  /** The network from which it came, not the address. */
  readonly network?: string | undefined;
  readonly requestId?: string | undefined;
  /** The id of the operation in the OpenAPI document: `ExportRecords`. */
  readonly operation?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  /** `ok`, `refused`, `failed`, or `aborted` when the client went away. */
  readonly outcome?: 'ok' | 'refused' | 'failed' | 'aborted' | undefined;
  readonly status?: number | undefined;
  /** The code of the problem, or the class of the reason. */
  readonly reason?: string | undefined;
  readonly what?: AuditDetails | undefined;
  readonly lost?: number | undefined;
  readonly version?: string | undefined;
}

/** Names and numbers: which data, and how much. */
export type AuditDetails = Readonly<Record<string, AuditDetail>>;

export type AuditDetail = string | number | boolean | readonly string[] | undefined;

/** Notes what is known only while a call runs: how many rows, how many records. */
export interface AuditNotes {
  /** Names and numbers alone; a later number stands instead of an earlier one. */
  add(details: AuditDetails): void;
}

/** What a service takes as its last argument, where it knows something worth noting. */
export interface AuditedOptions extends CallOptions {
  /** Where the service notes what it did; nothing when the call is not audited. */
  readonly audit?: AuditNotes | undefined;
}
