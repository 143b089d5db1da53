import { LRUCache } from 'lru-cache';
import { isCode, keepCode, newDeviceCode, type KeptCode } from './device-code.js';
import type { LinkToUse } from './auth-types.js';

const MAX_ENTRIES = 10_000;
/** LOGIN-15. */
const MAX_TRIES = 5;

/** What is known of the browser that asked for a link. */
export interface LinkRequestNote {
  readonly phrase: string;
  /** `Firefox on Linux`, or empty. */
  readonly device: string;
  /** Milliseconds. */
  readonly askedAt: number;
}

interface Entry extends LinkRequestNote {
  wrongTries: number;
  code?: { readonly kept: KeptCode; readonly link: LinkToUse };
}

/** What became of a code that was typed. */
export type CodeOutcome =
  | { readonly kind: 'right'; readonly link: LinkToUse }
  /** The request is dead now, and its link should be: too many wrong codes. */
  | { readonly kind: 'used-up'; readonly link: LinkToUse | undefined }
  | { readonly kind: 'wrong' };

/**
 * The requests for links of this process that came from browsers, by the digest of the asking browser's cookie, as long as
 * their links live. A request knows the code that stands for its link, once somebody who holds the link has had it shown
 * (LOGIN-15, decision 5).
 *
 * Memory: at most 10,000 requests, the oldest go first. The link itself is kept between the showing of the code and its
 * use, ten minutes at most; of the code a salted digest alone.
 */
export class LinkRequests {
  readonly #entries = new LRUCache<string, Entry>({ max: MAX_ENTRIES });

  constructor(
    private readonly lifeMs: number,
    private readonly clock: () => Date,
  ) {}

  /** @param binding the digest of the asking browser's cookie */
  remember(binding: Buffer, note: LinkRequestNote): void {
    this.#entries.set(nameOf(binding), { ...note, wrongTries: 0 });
  }

  find(binding: Buffer | undefined): LinkRequestNote | undefined {
    return binding && this.#alive(binding);
  }

  /** @returns a new code, the only one that is good from now on; `undefined` when the request is not known */
  showCode(binding: Buffer, link: LinkToUse): (LinkRequestNote & { readonly code: string }) | undefined {
    const entry = this.#alive(binding);
    if (entry === undefined) return undefined;
    const code = newDeviceCode();
    entry.code = { kept: keepCode(code), link };
    return { phrase: entry.phrase, device: entry.device, askedAt: entry.askedAt, code };
  }

  /** Judges a code typed in the browser that asked. Every wrong one counts, also before a code was shown. */
  tryCode(binding: Buffer | undefined, typed: string): CodeOutcome {
    const entry = binding && this.#alive(binding);
    if (binding === undefined || entry === undefined) return { kind: 'wrong' };
    if (entry.code !== undefined && isCode(entry.code.kept, typed)) {
      return { kind: 'right', link: entry.code.link };
    }
    entry.wrongTries += 1;
    if (entry.wrongTries < MAX_TRIES) return { kind: 'wrong' };
    this.forget(binding);
    return { kind: 'used-up', link: entry.code?.link };
  }

  forget(binding: Buffer): void {
    this.#entries.delete(nameOf(binding));
  }

  #alive(binding: Buffer): Entry | undefined {
    const entry = this.#entries.get(nameOf(binding));
    if (entry === undefined || this.clock().getTime() - entry.askedAt <= this.lifeMs) return entry;
    this.forget(binding);
    return undefined;
  }
}

function nameOf(binding: Buffer): string {
  return binding.toString('base64url');
}
