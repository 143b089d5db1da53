import type { CallOptions } from '../gateways/redcap/crf-client.js';

/** Names and numbers that describe which data was accessed, and how much. */
export type AuditDetails = Readonly<Record<string, AuditDetail>>;

export type AuditDetail = string | number | boolean | readonly string[] | undefined;

/** Receives details that are known only while a call runs, such as the number of rows or records. */
export interface AuditNotes {
  /** Adds names and numbers. A later value replaces an earlier one. */
  add(details: AuditDetails): void;
  /**
   * Names records, by pseudonym, before their data is stored or passed on. Call it for the records that a service knows
   * anyway; an export is not read again for it.
   *
   * @throws {ProblemError} `audit_unavailable`: they could not be entered
   */
  records(ids: Iterable<string>): Promise<void>;
}

/** Options of service methods that add details to the audit log. */
export interface AuditedOptions extends CallOptions {
  /** Receives the details. Absent if the call is not audited. */
  readonly audit?: AuditNotes | undefined;
}
