import { createHmac } from 'node:crypto';

/**
 * Names that tell persons and records apart without saying who they are: the first 64 bits of an HMAC-SHA256, in hex. The
 * same subject has the same pseudonym wherever it stands, as long as the key is the same.
 */
export class Pseudonyms {
  readonly #key: Buffer;

  constructor(key: Buffer) {
    this.#key = key;
  }

  readonly of = (subject: string): string =>
    createHmac('sha256', this.#key).update(subject).digest('hex').slice(0, 16);
}
