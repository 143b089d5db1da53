import { createHash, randomBytes, randomInt } from 'node:crypto';
import * as z from 'zod';
import { isSameBytes } from './auth-keys.js';
import type { KeyValueStore, KeyValueStoreFactory } from './key-value-store.js';
import type { LinkToUse } from './auth-types.js';

/** Wrong codes per request (LOGIN-15). */
const MAX_TRIES = 5;

/** What is known about the browser that requested a link. */
const Note = z.object({
  phrase: z.string(),
  /** `Firefox on Linux`, or empty if unknown. */
  device: z.string(),
  /** Milliseconds. */
  askedAt: z.number(),
});
export type LinkRequestNote = Readonly<z.infer<typeof Note>>;

/** A code as it is stored, in base64. The code cannot be read from memory (AUTH-05). */
const KeptCode = z.object({ salt: z.base64(), digest: z.base64() });
export type KeptCode = Readonly<z.infer<typeof KeptCode>>;

const ShownCode = KeptCode.extend({
  link: z.object({ userId: z.string(), secret: z.string(), st: z.string().optional() }),
});

/** The result of trying a code. */
export type CodeOutcome =
  | { readonly kind: 'right'; readonly link: LinkToUse }
  /** Too many wrong codes: the request has been ended, and its link should be. */
  | { readonly kind: 'used-up'; readonly link: LinkToUse | undefined }
  | { readonly kind: 'wrong' };

/**
 * The requests for links made by browsers, by the digest of the browser's cookie, for the lifetime of their links. A
 * request has a code for its link once a holder of the link has had it shown (LOGIN-15, decision 5).
 *
 * The link itself is stored from the time the code is shown until the code is used, at most for the lifetime of a link.
 * Of the code, only a salted digest is stored. `showCode` and `tryCode` reject with `SharedStateUnavailableError` if
 * shared stores are unavailable.
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

  /**
   * Stores a note about a request. Never fails: without the note the person sees fewer details but can still sign in.
   *
   * @param binding the digest of the requesting browser's cookie
   */
  async remember(binding: Buffer, note: LinkRequestNote): Promise<void> {
    await this.#notes.set(nameOf(binding), JSON.stringify(note), this.lifeMs).catch(() => undefined);
  }

  /** Returns the note about a request, if any. Never fails. */
  async find(binding: Buffer | undefined): Promise<LinkRequestNote | undefined> {
    return binding && this.#alive(binding).catch(() => undefined);
  }

  /** @returns a new code, which replaces any earlier one; `undefined` if the request is not known */
  async showCode(
    binding: Buffer,
    link: LinkToUse,
  ): Promise<(LinkRequestNote & { readonly code: string }) | undefined> {
    const note = await this.#alive(binding);
    if (note === undefined) return undefined;
    const code = newDeviceCode();
    const kept = JSON.stringify({ ...keepCode(code), link });
    await this.#codes.set(nameOf(binding), kept, this.lifeMs);
    return { ...note, code };
  }

  /** Checks a code entered in the requesting browser. Every wrong one counts, even before a code was shown. */
  async tryCode(binding: Buffer | undefined, typed: string): Promise<CodeOutcome> {
    if (binding === undefined || (await this.#alive(binding)) === undefined) return { kind: 'wrong' };
    const name = nameOf(binding);
    // Counted first, so that concurrent guesses cannot exceed the limit.
    const tries = await this.#tries.count(name, this.lifeMs);
    if (tries > MAX_TRIES) return { kind: 'wrong' };
    const text = await this.#codes.get(name);
    const shown = text === undefined ? undefined : ShownCode.parse(JSON.parse(text));
    if (shown !== undefined && isCode(shown, typed)) {
      await this.#tries.count(name, this.lifeMs, -1);
      return { kind: 'right', link: shown.link };
    }
    if (tries < MAX_TRIES) return { kind: 'wrong' };
    await this.forget(binding);
    return { kind: 'used-up', link: shown?.link };
  }

  /** Keeps the count of tries, so that a concurrent guess gains nothing. Never fails. */
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

function nameOf(binding: Buffer): string {
  return binding.toString('base64url');
}

/** Consonants that are easy to tell apart by eye and ear, as proposed in RFC 8628, section 6.1. They form no words. */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;

/** @returns `WDJB-MJHT`: one of 25,600,000,000 codes, so that five guesses have practically no chance */
export function newDeviceCode(): string {
  const letters = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)] ?? '').join('');
  return `${letters.slice(0, LENGTH / 2)}-${letters.slice(LENGTH / 2)}`;
}

export function keepCode(code: string): KeptCode {
  const salt = randomBytes(16);
  return { salt: salt.toString('base64'), digest: digestOf(code, salt).toString('base64') };
}

/** Compares in constant time. Ignores case, whitespace and hyphens. */
export function isCode({ salt, digest }: KeptCode, typed: string): boolean {
  return isSameBytes(Buffer.from(digest, 'base64'), digestOf(typed, Buffer.from(salt, 'base64')));
}

function digestOf(code: string, salt: Buffer): Buffer {
  const letters = code.slice(0, 64).replace(/[\s-]/g, '').toUpperCase();
  return createHash('sha256').update(salt).update(letters).digest();
}
