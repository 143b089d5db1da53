import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from 'node:crypto';
import { PolicyInvalidError } from '../../domain/errors/operator-errors.js';

/** Bytes of a record id before it is encrypted: its length, the id, and zeros, so that all pseudonyms are equally long. */
const PADDED = 48;

/** Dates are shifted by 1 to this many days. */
export const MAX_SHIFT_DAYS = 364;

/**
 * What depends on the record in a de-identified view: the pseudonym of its id, and the days by which its dates are
 * shifted.
 *
 * A pseudonym is the record id, encrypted with AES key wrap (RFC 3394), which is deterministic and authenticated: equal ids
 * have equal pseudonyms, it has always the same length, and who has the key gets the id back without a table. It begins
 * with a name of the key, so that pseudonyms of different keys are never taken for each other: `p3f9c-` and 75 characters.
 */
export class RecordKeys {
  /** Names the key; nothing else can be concluded from it. */
  readonly fingerprint: string;
  /** How pseudonyms of this key begin. */
  readonly prefix: string;
  readonly #idKey: Buffer;
  readonly #shiftKey: string;

  /**
   * @param secret PSEUDONYM_KEY, 32 bytes
   * @param scope the policy: pseudonyms and shifts of different policies have nothing in common, so that tables of two
   *   recipients cannot be joined
   * @param isOnce whether ids get a random key that is kept nowhere, so that nobody can ever get them back
   */
  constructor(secret: Uint8Array, scope: string, isOnce = false) {
    const derived = (purpose: string, length: number): Buffer =>
      Buffer.from(hkdfSync('sha256', secret, '', `crf-service ${purpose} of ${scope}`, length));
    this.#idKey = isOnce ? randomBytes(32) : derived('record ids', 32);
    this.#shiftKey = derived('date shifts', 32).toString('base64url');
    this.fingerprint = hash('sha256', this.#idKey, 'hex');
    this.prefix = `p${this.fingerprint.slice(0, 4)}-`;
  }

  /** Returns the pseudonym of a record id. @throws {PolicyInvalidError} the id is longer than 47 bytes of UTF-8 */
  pseudonymOf(id: string): string {
    const padded = Buffer.alloc(PADDED);
    const length = Buffer.byteLength(id);
    if (length >= PADDED) throw new PolicyInvalidError(TOO_LONG);
    padded[0] = length;
    padded.write(id, 1);
    return this.prefix + createCipheriv(WRAP, this.#idKey, WRAP_IV).update(padded).toString('base64url');
  }

  /** Returns the record id of a pseudonym; undefined for anything that is not one of this key. */
  idOf(pseudonym: string): string | undefined {
    if (!pseudonym.startsWith(this.prefix)) return undefined;
    const text = pseudonym.slice(this.prefix.length);
    const bytes = Buffer.from(text, 'base64url');
    // One record has one pseudonym: other spellings of the same bytes are none.
    if (bytes.length !== PADDED + WRAP_IV.length || bytes.toString('base64url') !== text) return undefined;
    try {
      const padded = createDecipheriv(WRAP, this.#idKey, WRAP_IV).update(bytes);
      return padded.toString('utf8', 1, 1 + (padded[0] ?? 0));
    } catch {
      return undefined; // it was not encrypted with this key
    }
  }

  /** Returns by how many days the dates of a record are shifted into the past, from 1 to 364. */
  daysOf(id: string): number {
    // A part of a hash tells nothing about its beginning, so that a secret there makes it a keyed one.
    const bits = hash('sha256', `${this.#shiftKey} ${id}`, 'buffer').readUInt32BE();
    return 1 + (bits % MAX_SHIFT_DAYS);
  }
}

const WRAP = 'id-aes256-wrap';
/** What RFC 3394 (2.2.3.1) checks a text by that is decrypted. */
const WRAP_IV = Buffer.alloc(8, 0xa6);

/** Whether a text has the form of a pseudonym, of whichever key. */
export function isPseudonym(text: string): boolean {
  return /^p[0-9a-f]{4}-[\w-]{75}$/.test(text);
}

const TOO_LONG = [
  {
    field: 'transform.record_id',
    message: 'cannot be applied to this project, which has record ids of more than 47 bytes',
  },
];
