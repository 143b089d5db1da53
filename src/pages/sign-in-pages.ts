import type { AccountSwitch } from '../services/auth/auth-types.js';
import { html, type Html } from './html.js';
import { layout } from './layout.js';

interface PageOptions {
  readonly isSandbox?: boolean;
}

/** The form that asks for an address. `problem` says what was wrong with the last one; the address is not repeated. */
export function signInPage(options: PageOptions & { readonly problem?: string } = {}): string {
  return layout(
    'Sign in',
    html`${options.problem !== undefined && html`<p class="problem" role="alert">${options.problem}</p>`}
      <p>Enter your email address. You will get a link that signs you in: there is no password.</p>
      <form class="stacked" method="post" action="/login/send">
        <label for="email">Email address</label>
        <input id="email" name="email" type="email" autocomplete="email" required maxlength="254" autofocus />
        <button type="submit">Send me a link</button>
      </form>`,
    options,
  );
}

/** What follows the form, whether or not the address is known. */
export function checkMailPage(options: PageOptions = {}): string {
  return layout(
    'Check your mail',
    html`<p>
        If the address can sign in here, a link is on its way to it. The link works once, for ten minutes.
      </p>
      <p>Nothing came? Look among the unwanted mails, or <a href="/login">ask for another link</a>.</p>`,
    options,
  );
}

/** One button, so that a program that opens every link of a mail uses none of them. */
export function confirmPage(
  link: { readonly userId: string; readonly secret: string; readonly st?: string | undefined },
  options: PageOptions & { readonly accountSwitch?: AccountSwitch | undefined } = {},
): string {
  const { accountSwitch } = options;
  return layout(
    'Confirm your sign-in',
    html`${
        accountSwitch === undefined
          ? html`<p>Press the button to sign in on this device.</p>`
          : switchNotice(accountSwitch)
      }
      <form method="post" action="/login/confirm">
        <input type="hidden" name="userId" value="${link.userId}" />
        <input type="hidden" name="secret" value="${link.secret}" />
        ${link.st !== undefined && html`<input type="hidden" name="st" value="${link.st}" />`}
        <button type="submit">Sign in</button>
      </form>
      <p class="quiet">You did not ask for this? Close the page: nothing has happened.</p>`,
    options,
  );
}

/** A link can be somebody else's doing: whoever is signed in has to see that what they enter would go elsewhere. */
function switchNotice({ account }: AccountSwitch): Html {
  return html`<p>
    You are signed in with another account. This link is for
    <strong>${account ?? 'a different account'}</strong>: the button signs you in there, and ends your present
    session.
  </p>`;
}

/** One page for every link that cannot be used: it does not say why (LOGIN-08). */
export function linkNotValidPage(options: PageOptions = {}): string {
  return layout(
    'This link cannot be used',
    html`<p>A sign-in link works once, for ten minutes, and in the form in which it was sent.</p>
      <p><a href="/login">Ask for a new link</a></p>`,
    options,
  );
}

export function signedOutPage(options: PageOptions = {}): string {
  return layout(
    'You are signed out',
    html`<p>This device has no session any more. <a href="/login">Sign in again</a></p>`,
    options,
  );
}
