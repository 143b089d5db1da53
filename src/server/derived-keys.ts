import { hkdfSync } from 'node:crypto';
import type { ApiToken } from '../identifiers/api-token.js';

/** The key of cursors: every process in front of the same project has the same, and none keeps it. */
export function cursorKeyFrom(token: ApiToken): Buffer {
  return Buffer.from(hkdfSync('sha256', token.reveal(), '', 'crf-service records cursor', 32));
}

/** The key of pseudonyms where there is no sign-in: a record has the same one in the audit log of every process. */
export function pseudonymKeyFrom(token: ApiToken): Buffer {
  return Buffer.from(hkdfSync('sha256', token.reveal(), '', 'crf-service pseudonyms', 32));
}
