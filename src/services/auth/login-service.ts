import { OtherAccountError, SignInFailedError } from '../../errors/sign-in-errors.js';
import type { AccountSwitch, AskingDevice, Auth, CookieStore } from './auth-types.js';

/** What stands in a sign-in link. */
export interface LinkParts {
  readonly userId?: string | undefined;
  readonly secret?: string | undefined;
  readonly st?: string | undefined;
}

/** A link that a button has to confirm. */
export interface LinkToConfirm {
  readonly userId: string;
  readonly secret: string;
  readonly st?: string | undefined;
}

export interface LinkRequest {
  readonly cookies: CookieStore;
  /** Nobody has opened the link: a HEAD, a prefetch, a preview. */
  readonly isRead: boolean;
  /** Whoever asks can be shown a page with a button. */
  readonly acceptsPage: boolean;
  readonly userAgent?: string | undefined;
}

/** What an opened link leads to. */
export type LinkOutcome =
  | 'signed-in'
  | 'ask-address'
  | 'nothing'
  | {
      readonly confirm: LinkToConfirm;
      readonly accountSwitch?: AccountSwitch;
      readonly otherDevice?: AskingDevice;
    };

/** What happens when the address of the sign-in page is opened, with a link's parameters or without. */
export class LoginService {
  readonly #auth: Pick<Auth, 'checkLink' | 'login'>;

  constructor(auth: Pick<Auth, 'checkLink' | 'login'>) {
    this.#auth = auth;
  }

  /**
   * @throws {SignInFailedError} whatever is wrong with the link
   * @throws {OtherAccountError} another account is signed in, and a page with a button is of no use; the link is still good
   * @throws {IdentityUnavailableError} the link is still good
   */
  async open(link: LinkParts, request: LinkRequest): Promise<LinkOutcome> {
    const { userId, secret, st } = link;
    if (userId === undefined && secret === undefined) return 'ask-address';
    if (request.isRead) return 'nothing';
    if (userId === undefined || secret === undefined) throw new SignInFailedError();

    const options = { st, userAgent: request.userAgent };
    const check = await this.#auth.checkLink(userId, secret, request.cookies, options);
    const { isConfirmNeeded, accountSwitch, otherDevice } = check;
    if (accountSwitch !== undefined && !request.acceptsPage) throw new OtherAccountError();
    if (isConfirmNeeded) {
      const confirm = { userId, secret, st };
      return { confirm, ...(accountSwitch && { accountSwitch }), ...(otherDevice && { otherDevice }) };
    }
    await this.#auth.login(userId, secret, request.cookies, options);
    return 'signed-in';
  }

  /** Uses a link whose button was pressed. @throws what `open` throws */
  async confirm(
    { userId, secret, st }: LinkToConfirm,
    { cookies, userAgent }: Pick<LinkRequest, 'cookies' | 'userAgent'>,
  ): Promise<void> {
    await this.#auth.login(userId, secret, cookies, { st, userAgent, isConfirmed: true });
  }
}
