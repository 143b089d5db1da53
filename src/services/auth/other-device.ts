import { OtherAccountError, SignInFailedError } from '../../errors/sign-in-errors.js';
import type { AuthJournal } from './auth-event.js';
import type { AuthSettings } from './auth-settings.js';
import type { CookieStore, DeviceCode, LoginOptions, SessionUser } from './auth-types.js';
import type { BindingCookie } from './binding-cookie.js';
import type { LinkLogin } from './link-login.js';
import type { LinkRequests } from './link-requests.js';
import type { LinkUses } from './link-uses.js';

/** What completing a sign-in on another device works with. */
export interface OtherDeviceParts {
  readonly settings: AuthSettings;
  readonly binding: BindingCookie;
  readonly links: LinkUses;
  readonly requests: LinkRequests;
  readonly linkLogin: LinkLogin;
  readonly journal: AuthJournal;
}

/**
 * The mail is read on the phone, and the session is wanted on the computer that asked for the link (LOGIN-15). Whoever
 * holds the link has a code shown, and types it where the link was asked for: in that browser it uses the link, in any
 * other it is a wrong code. What speaks for and against it is in decision 5.
 */
export class OtherDevice {
  constructor(private readonly parts: OtherDeviceParts) {}

  /** @returns see `Auth.pendingLink` */
  async pendingLink(
    cookies: CookieStore,
  ): Promise<{ readonly phrase: string; readonly takesCode: boolean } | undefined> {
    const { requests, binding, settings } = this.parts;
    const request = await requests.find(binding.digestOf(cookies));
    return request && { phrase: request.phrase, takesCode: settings.loginConfirm !== 'never' };
  }

  /** @throws see `Auth.showCode` */
  async showCode(
    userId: string,
    secret: string,
    cookies: CookieStore,
    options: LoginOptions = {},
  ): Promise<DeviceCode> {
    const { linkLogin, requests, journal } = this.parts;
    const asking = await linkLogin.askingBrowser(userId, secret, cookies, options);
    const shown = asking && (await requests.showCode(asking, { userId, secret, st: options.st }));
    if (shown === undefined) throw new SignInFailedError();
    journal.write('code.shown', userId);
    return { ...shown, askedAt: new Date(shown.askedAt).toISOString() };
  }

  /** @throws see `Auth.loginWithCode` */
  async loginWithCode(code: string, cookies: CookieStore, userAgent?: string): Promise<SessionUser> {
    const { binding, requests, linkLogin, journal } = this.parts;
    const own = binding.digestOf(cookies);
    const outcome = await requests.tryCode(own, code);
    if (outcome.kind !== 'right') {
      if (outcome.kind === 'used-up') await this.#voidLink(outcome.link);
      journal.write('code.failed', undefined, outcome.kind);
      throw new SignInFailedError();
    }
    const { userId, secret, st } = outcome.link;
    try {
      const user = await linkLogin.use(userId, secret, cookies, { st, userAgent });
      if (own !== undefined) await requests.forget(own);
      return user;
    } catch (error) {
      // What leaves the link good leaves the code good: an outage, or somebody else who is signed in here.
      if (error instanceof SignInFailedError && own !== undefined) await requests.forget(own);
      if (error instanceof OtherAccountError) journal.write('code.failed', userId, 'other-account');
      throw error;
    }
  }

  async #voidLink(link: { readonly userId: string; readonly secret: string } | undefined): Promise<void> {
    if (link === undefined) return;
    const reservation = await this.parts.links.reserve(link.userId, link.secret);
    await reservation?.use();
  }
}
