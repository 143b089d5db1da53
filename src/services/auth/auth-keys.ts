import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/**
 * The keys of the authentication service, each for one purpose, all derived from the API key: nothing more to
 * configure, and every replica has the same. A new API key ends all sessions and outstanding links.
 */
export interface AuthKeys {
  /** Seals session cookies. */
  readonly cookie: Buffer;
  /** Signs the state in links. */
  readonly link: Buffer;
  /** Makes pseudonyms for audit events. */
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

/** In constant time; buffers of different lengths are different. */
export function isSameBytes(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}
