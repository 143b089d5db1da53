import { hkdfSync } from 'node:crypto';
import type { ApiToken } from '../identifiers/api-token.js';

/** The key of cursors: every process in front of the same project has the same, and none keeps it. */
export function cursorKeyFrom(token: ApiToken): Buffer {
  return Buffer.from(hkdfSync('sha256', token.reveal(), '', 'crf-service records cursor', 32));
}
