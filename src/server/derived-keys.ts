import { hkdfSync } from 'node:crypto';
import type { ApiToken } from '../identifiers/api-token.js';

/** Derives the key of page cursors. It is the same for every process of a project and is never stored. */
export function cursorKeyFrom(token: ApiToken): Buffer {
  return Buffer.from(hkdfSync('sha256', token.reveal(), '', 'crf-service records cursor', 32));
}

/**
 * Derives the key of pseudonyms for a service without a sign-in. A record has the same pseudonym in the audit log of
 * every process.
 */
export function pseudonymKeyFrom(token: ApiToken): Buffer {
  return Buffer.from(hkdfSync('sha256', token.reveal(), '', 'crf-service pseudonyms', 32));
}
