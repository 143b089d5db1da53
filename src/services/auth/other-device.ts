import { SignInFailedError } from '../../domain/errors/access-errors.js';
import { isProblem } from '../../domain/errors/problem-error.js';
import type { AuthParts } from './auth-parts.js';
import type { CookieStore, DeviceCode, LoginOptions, SessionUser } from './auth-types.js';
import type { LinkLogin } from './link-login.js';

/**
 * Signs in on the computer that requested the link when the mail is read on a phone (LOGIN-15). The holder of the link
 * is shown a code and enters it in the browser that requested the link, which then uses the link. In any other browser
 * the code is wrong. Decision 5 lists the arguments for and against it.
 */
export class OtherDevice {
  constructor(
    private readonly parts: AuthParts,
    private readonly linkLogin: LinkLogin,
  ) {}

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
    const { requests, journal } = this.parts;
    const asking = await this.linkLogin.askingBrowser(userId, secret, cookies, options);
    const shown = asking && (await requests.showCode(asking, { userId, secret, st: options.st }));
    if (shown === undefined) throw new SignInFailedError();
    journal.write('code.shown', userId);
    return { ...shown, askedAt: new Date(shown.askedAt).toISOString() };
  }

  /** @throws see `Auth.loginWithCode` */
  async loginWithCode(code: string, cookies: CookieStore, userAgent?: string): Promise<SessionUser> {
    const { binding, requests, journal } = this.parts;
    const own = binding.digestOf(cookies);
    const outcome = await requests.tryCode(own, code);
    if (outcome.kind !== 'right') {
      if (outcome.kind === 'used-up') await this.#voidLink(outcome.link);
      journal.write('code.failed', undefined, outcome.kind);
      throw new SignInFailedError();
    }
    const { userId, secret, st } = outcome.link;
    try {
      const user = await this.linkLogin.use(userId, secret, cookies, { st, userAgent });
      if (own !== undefined) await requests.forget(own);
      return user;
    } catch (error) {
      // Errors that leave the link valid also leave the code valid: an outage, or another account that is signed in
      // here.
      if (error instanceof SignInFailedError && own !== undefined) await requests.forget(own);
      if (isProblem(error, 'other_account_signed_in')) journal.write('code.failed', userId, 'other-account');
      throw error;
    }
  }

  async #voidLink(link: { readonly userId: string; readonly secret: string } | undefined): Promise<void> {
    if (link === undefined) return;
    const reservation = await this.parts.links.reserve(link.userId, link.secret);
    await reservation?.use();
  }
}
