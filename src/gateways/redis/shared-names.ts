import { createHmac, hash, hkdfSync } from 'node:crypto';
import { seal, unseal } from '../../domain/crypto/sealed-text.js';

/** Characters of base64url: 132 bits, enough to avoid collisions. */
const DIGEST_LENGTH = 22;

/**
 * The form in which Redis sees names and values. A name is a digest that only holders of the secret can compare with an
 * address, a network or an id; a value is encrypted. Only the kind of a key, counters and times are in plain text.
 */
export class SharedNames {
  /** The beginning of the keys of all projects, and of this one. */
  readonly #common: string;
  readonly #prefix: string;
  readonly #nameKey: Buffer;
  readonly #valueKey: Buffer;

  /**
   * @param prefix the beginning of every key
   * @param secret the same in all processes that share the state, and in no others
   */
  constructor(prefix: string, secret: string) {
    const derive = (purpose: string): Buffer =>
      Buffer.from(hkdfSync('sha256', secret, '', `crf-service/shared-state/${purpose}/1`, 32));
    this.#nameKey = derive('names');
    this.#valueKey = derive('values');
    this.#common = prefix;
    // Separates projects that use the same Redis and the same prefix.
    this.#prefix = `${prefix}${this.#digest('project')}:`;
  }

  /** @returns the key of a name, or of a kind that has only one key */
  keyOf(kind: string, name?: string): string {
    return `${this.#prefix}${kind}${name === undefined ? '' : `:${this.#digest(`${kind}\0${name}`)}`}`;
  }

  /**
   * @param host which all projects of one REDCap have in common
   * @returns the key of something that all of them share. The digest has no secret, since their tokens differ
   */
  keyOfHost(kind: string, host: string): string {
    return `${this.#common}${kind}:${hash('sha256', host, 'base64url').slice(0, DIGEST_LENGTH)}`;
  }

  /** @returns the value encrypted for its key, preceded by a tag that is the same for the same value */
  seal(key: string, value: string): string {
    return `${this.tagOf(key, value)}${seal(this.#valueKey, key, value)}`;
  }

  /** @returns the value, or `undefined` if it was not sealed for this key with this secret */
  unseal(key: string, sealed: string): string | undefined {
    return unseal(this.#valueKey, key, sealed.slice(DIGEST_LENGTH));
  }

  /** Returns the tag at the beginning of a sealed value, by which Redis can compare values that it cannot read. */
  tagOf(key: string, value: string): string {
    return this.#digest(`${key}\0${value}`);
  }

  #digest(text: string): string {
    return createHmac('sha256', this.#nameKey).update(text).digest('base64url').slice(0, DIGEST_LENGTH);
  }
}
