import { z } from 'zod';
import { isCode, keepCode, newDeviceCode } from './device-code.js';
import type { KeyValueStore, KeyValueStoreFactory } from './key-value-store.js';
import type { LinkToUse } from './auth-types.js';

/** LOGIN-15. */
const MAX_TRIES = 5;

const Note = z.object({ phrase: z.string(), device: z.string(), askedAt: z.number() });
const ShownCode = z.object({
  salt: z.string(),
  digest: z.string(),
  link: z.object({ userId: z.string(), secret: z.string(), st: z.string().optional() }),
});

/** What is known of the browser that asked for a link. */
export interface LinkRequestNote {
  readonly phrase: string;
  /** `Firefox on Linux`, or empty. */
  readonly device: string;
  /** Milliseconds. */
  readonly askedAt: number;
}

/** What became of a code that was typed. */
export type CodeOutcome =
  | { readonly kind: 'right'; readonly link: LinkToUse }
  /** The request is dead now, and its link should be: too many wrong codes. */
  | { readonly kind: 'used-up'; readonly link: LinkToUse | undefined }
  | { readonly kind: 'wrong' };

/**
 * The requests for links that came from browsers, by the digest of the asking browser's cookie, as long as their links
 * live. A request knows the code that stands for its link, once somebody who holds the link has had it shown (LOGIN-15,
 * decision 5).
 *
 * The link itself is kept between the showing of the code and its use, ten minutes at most; of the code a salted digest
 * alone. `showCode` and `tryCode` reject with `SharedStateUnavailableError` when the stores are shared and away.
 */
export class LinkRequests {
  readonly #notes: KeyValueStore;
  readonly #codes: KeyValueStore;
  readonly #tries: KeyValueStore;

  constructor(
    stores: KeyValueStoreFactory,
    private readonly lifeMs: number,
    private readonly clock: () => Date,
  ) {
    this.#notes = stores('link-request');
    this.#codes = stores('link-code');
    this.#tries = stores('link-code-tries');
  }

  /** Never fails: without the note the person is shown less, and signs in all the same. @param binding the digest of the asking browser's cookie */
  async remember(binding: Buffer, note: LinkRequestNote): Promise<void> {
    await this.#notes.set(nameOf(binding), JSON.stringify(note), this.lifeMs).catch(() => undefined);
  }

  /** Never fails. */
  async find(binding: Buffer | undefined): Promise<LinkRequestNote | undefined> {
    return binding && this.#alive(binding).catch(() => undefined);
  }

  /** @returns a new code, the only one that is good from now on; `undefined` when the request is not known */
  async showCode(
    binding: Buffer,
    link: LinkToUse,
  ): Promise<(LinkRequestNote & { readonly code: string }) | undefined> {
    const note = await this.#alive(binding);
    if (note === undefined) return undefined;
    const code = newDeviceCode();
    const { salt, digest } = keepCode(code);
    const kept = { salt: salt.toString('base64'), digest: digest.toString('base64'), link };
    await this.#codes.set(nameOf(binding), JSON.stringify(kept), this.lifeMs);
    return { ...note, code };
  }

  /** Judges a code typed in the browser that asked. Every wrong one counts, also before a code was shown. */
  async tryCode(binding: Buffer | undefined, typed: string): Promise<CodeOutcome> {
    if (binding === undefined || (await this.#alive(binding)) === undefined) return { kind: 'wrong' };
    const name = nameOf(binding);
    // Counted first: of many guesses at once no more than these are judged.
    const tries = await this.#tries.count(name, this.lifeMs);
    if (tries > MAX_TRIES) return { kind: 'wrong' };
    const text = await this.#codes.get(name);
    const shown = text === undefined ? undefined : ShownCode.parse(JSON.parse(text));
    if (shown !== undefined && isCode(toKeptCode(shown), typed)) {
      await this.#tries.count(name, this.lifeMs, -1);
      return { kind: 'right', link: shown.link };
    }
    if (tries < MAX_TRIES) return { kind: 'wrong' };
    await this.forget(binding);
    return { kind: 'used-up', link: shown?.link };
  }

  /** The tries stay counted: a guess that is under way is none the better for it. Never fails. */
  async forget(binding: Buffer): Promise<void> {
    const name = nameOf(binding);
    await Promise.all([this.#notes.discard(name), this.#codes.discard(name)]);
  }

  async #alive(binding: Buffer): Promise<LinkRequestNote | undefined> {
    const text = await this.#notes.get(nameOf(binding));
    if (text === undefined) return undefined;
    const note = Note.parse(JSON.parse(text));
    if (this.clock().getTime() - note.askedAt <= this.lifeMs) return note;
    await this.forget(binding);
    return undefined;
  }
}

function toKeptCode({ salt, digest }: z.infer<typeof ShownCode>): { salt: Buffer; digest: Buffer } {
  return { salt: Buffer.from(salt, 'base64'), digest: Buffer.from(digest, 'base64') };
}

function nameOf(binding: Buffer): string {
  return binding.toString('base64url');
}
