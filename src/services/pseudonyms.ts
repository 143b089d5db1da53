import { createHmac } from 'node:crypto';

/**
 * Creates pseudonyms that distinguish persons and records without identifying them: the first 64 bits of an
 * HMAC-SHA256, in hexadecimal. A subject has the same pseudonym everywhere as long as the key does not change.
 */
export class Pseudonyms {
  readonly #key: Buffer;

  constructor(key: Buffer) {
    this.#key = key;
  }

  readonly of = (subject: string): string =>
    createHmac('sha256', this.#key).update(subject).digest('hex').slice(0, 16);

  /** Tells keys apart without telling anything about them. */
  get keyMark(): string {
    return this.of('the key of the pseudonyms');
  }
}
