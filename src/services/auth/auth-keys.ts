import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/**
 * The keys of the authentication service, one per purpose. All are derived from the API key, so that they need no
 * configuration and are the same in every replica. A new API key invalidates all sessions and outstanding links.
 */
export interface AuthKeys {
  /** Encrypts session cookies. */
  readonly cookie: Buffer;
  /** Signs the state in links. */
  readonly link: Buffer;
  /** Creates pseudonyms for audit events. */
  readonly pseudonym: Buffer;
}

export function deriveAuthKeys(apiKey: string, projectId: string): AuthKeys {
  const derive = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', apiKey, projectId, `crf-service/auth/${purpose}/1`, 32));
  return { cookie: derive('cookie'), link: derive('link'), pseudonym: derive('pseudonym') };
}

export function macOf(key: Buffer, text: string | Buffer): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** Compares in constant time. Buffers of different lengths are not equal. */
export function isSameBytes(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}
