import { SignInFailedError } from '../../domain/errors/access-errors.js';
import { ProblemError } from '../../domain/errors/problem-error.js';
import type { AccountSwitch, AskingDevice, Auth, CookieStore, LinkToUse } from './auth-types.js';

export interface LinkRequest {
  readonly cookies: CookieStore;
  /** Whether the link was not opened by a person: a HEAD request, a prefetch or a preview. */
  readonly isRead: boolean;
  /** Whether the client can be shown a page with a button. */
  readonly acceptsPage: boolean;
  readonly userAgent?: string | undefined;
}

/** The result of opening a link. */
export type LinkOutcome =
  | 'signed-in'
  | 'ask-address'
  | 'nothing'
  | {
      readonly confirm: LinkToUse;
      readonly accountSwitch?: AccountSwitch;
      readonly otherDevice?: AskingDevice;
    };

/**
 * Opens what a request to the sign-in page has of a link.
 *
 * @throws {SignInFailedError} the link is invalid for any reason
 * @throws {ProblemError} `other_account_signed_in`: another account is signed in, and the client cannot show a page with
 *   a button; the link remains valid
 * @throws {ProblemError} `identity_unavailable`: the link remains valid
 */
export async function openLink(
  auth: Pick<Auth, 'checkLink' | 'login'>,
  { userId, secret, st }: { readonly [Part in keyof LinkToUse]?: LinkToUse[Part] | undefined },
  request: LinkRequest,
): Promise<LinkOutcome> {
  if (userId === undefined && secret === undefined) return 'ask-address';
  if (request.isRead) return 'nothing';
  if (userId === undefined || secret === undefined) throw new SignInFailedError();

  const options = { st, userAgent: request.userAgent };
  const check = await auth.checkLink(userId, secret, request.cookies, options);
  const { isConfirmNeeded, accountSwitch, otherDevice } = check;
  if (accountSwitch !== undefined && !request.acceptsPage) throw new ProblemError('other_account_signed_in');
  if (isConfirmNeeded) {
    const confirm = { userId, secret, st };
    return { confirm, ...(accountSwitch && { accountSwitch }), ...(otherDevice && { otherDevice }) };
  }
  await auth.login(userId, secret, request.cookies, options);
  return 'signed-in';
}
