import { createHmac, randomBytes } from 'node:crypto';
import type { RecordRow } from '../../gateways/redcap/crf-client.js';

/** Returns the version of a whole record, from its rows in a plain export, as an entity tag. */
export type RecordVersion = (rows: readonly RecordRow[]) => string;

/**
 * Versions of records. They are keyed, so that nobody can find out values by computing the version of a guess.
 *
 * @param key those with the same key have the same versions; random by default
 */
export function recordVersions(key: Buffer = randomBytes(32)): RecordVersion {
  return (rows) => {
    const mac = createHmac('sha256', key).update(`record version ${JSON.stringify(rows)}`);
    return `"${mac.digest('base64url').slice(0, 22)}"`;
  };
}
