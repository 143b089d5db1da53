import { setTimeout as delay } from 'node:timers/promises';
import { ProblemError } from '../../domain/errors/problem-error.js';
import { InvalidIdentifierError } from '../../domain/errors/caller-errors.js';
import type { LinkRequestOutcome } from '../../gateways/appwrite/identity-types.js';
import type { Email } from '../../domain/identifiers/email.js';
import { isUserId, type UserId } from '../../domain/identifiers/names.js';
import { ADDRESS_RULE, canonicalAddress, readAddress } from './address/canonical-address.js';
import { AnswerFloor } from './answer-floor.js';
import type { AuthParts } from './auth-parts.js';
import type { CookieStore, SignupOptions, SignupResult } from './auth-types.js';
import { writeLinkState } from './link-state.js';
import { deviceName } from './device-name.js';
import { randomUserId, tokenIdLookalike } from './random-ids.js';
import { SecurityPhrases } from './security-phrases.js';

const RESOLVE_LIMIT_MS = 2_000;

/** Asks the identity backend to send a link, and returns the same whatever is known about the address. */
export class Signup {
  readonly #phrases = new SecurityPhrases();

  readonly #floor: AnswerFloor;

  constructor(private readonly parts: AuthParts) {
    const { signupFloorMs, clock, wait } = parts.settings;
    this.#floor = new AnswerFloor(signupFloorMs, clock, wait);
  }

  /** @throws see `Auth.signupWithEmail` */
  async request(
    email: string,
    cookies: CookieStore | undefined,
    options: SignupOptions,
  ): Promise<SignupResult> {
    const { settings, binding, requests, journal } = this.parts;
    const address = this.#allowed(email);
    // Issued before any request, so that known and new addresses get the same cookies.
    const asking = cookies === undefined ? undefined : binding.issue(cookies);
    const url = this.#linkUrl(address, asking);
    const outcome = await this.#floor.run(() => this.#send(address, url, options));

    if (outcome.kind === 'malformed-address')
      throw new InvalidIdentifierError('An email address', ADDRESS_RULE);
    const result = this.#resultOf(outcome);
    if (asking !== undefined) {
      const askedAt = settings.clock().getTime();
      await requests.remember(asking, {
        phrase: result.phrase,
        device: deviceName(options.userAgent),
        askedAt,
      });
    }
    if (outcome.kind === 'accepted') journal.write('link.requested', outcome.userId);
    else journal.write('link.refused', address, 'declined');
    return result;
  }

  /** Returns the same result for a declined request as for an accepted one (AUTH-02). */
  #resultOf(outcome: LinkRequestOutcome): SignupResult {
    if (outcome.kind === 'accepted') {
      this.#phrases.learn(outcome.phrase);
      return { token: outcome.tokenId, phrase: outcome.phrase };
    }
    return { token: tokenIdLookalike(this.parts.settings.clock()), phrase: this.#phrases.lookalike() };
  }

  /** @returns the address that `request` would send to the identity backend, or `undefined` if it would refuse it */
  canonicalAddress(email: string): Email | undefined {
    const address = readAddress(email);
    return address !== undefined && this.parts.domains.admits(address) ? address : undefined;
  }

  #allowed(email: string): Email {
    const address = canonicalAddress(email);
    if (this.parts.domains.admits(address)) return address;
    this.parts.journal.write('link.refused', address, 'domain');
    const { settings, domains } = this.parts;
    throw new ProblemError('domain_not_allowed', {
      domains: settings.showAllowedDomains ? domains.domains : [],
    });
  }

  /** Builds the URL only from the configuration (AUTH-04), and adds the signed state. */
  #linkUrl(address: Email, binding: Buffer | undefined): string {
    const { settings, keys } = this.parts;
    const issuedAt = settings.clock().getTime();
    const url = new URL(settings.loginUrl);
    const state = { issuedAt, binding };
    url.searchParams.set('st', writeLinkState(keys.link, state, address));
    return url.href;
  }

  async #send(email: Email, url: string, options: SignupOptions): Promise<LinkRequestOutcome> {
    const { identity, links, settings } = this.parts;
    const issuedAt = settings.clock().getTime();
    const resolved = await this.#resolvedId(email);
    const request = { ...options, email, url };
    let outcome = await identity.createMagicUrlToken({ ...request, userId: resolved ?? randomUserId() });
    // The id from the study may already belong to another account. A random one cannot.
    if (outcome.kind === 'maybe-id-taken' && resolved !== undefined)
      outcome = await identity.createMagicUrlToken({ ...request, userId: randomUserId() });
    if (outcome.kind === 'maybe-id-taken') throw new ProblemError('identity_unavailable');
    if (outcome.kind === 'accepted') await links.rememberIssue(outcome.fingerprint, issuedAt);
    return outcome;
  }

  /**
   * Asks the study for a user id. Never fails and never waits long, so that a signup does not depend on the study's
   * system.
   */
  async #resolvedId(email: Email): Promise<UserId | undefined> {
    const { settings, journal } = this.parts;
    if (settings.resolveUserId === undefined) return undefined;
    try {
      const answer = await Promise.race([
        settings.resolveUserId(email),
        delay(RESOLVE_LIMIT_MS, 'too-late' as const, { ref: false }),
      ]);
      if (answer === 'too-late') journal.write('user-id.unresolved', email, 'timeout');
      else if (isUserId(answer)) return answer;
      else if (answer !== undefined) journal.write('user-id.unresolved', email, 'not-a-user-id');
    } catch {
      journal.write('user-id.unresolved', email, 'failed');
    }
    return undefined;
  }
}
