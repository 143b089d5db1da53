import type { AccountSwitch, AskingDevice, DeviceCode, LinkToUse } from '../services/auth/auth-types.js';
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
export function checkMailPage(
  options: PageOptions & {
    readonly pending?: { readonly phrase: string; readonly takesCode: boolean } | undefined;
    readonly problem?: string;
  } = {},
): string {
  const { pending, problem } = options;
  return layout(
    'Check your mail',
    html`${problem !== undefined && html`<p class="problem" role="alert">${problem}</p>`}
      <p>
        If the address can sign in here, a link is on its way to it. The link works once, for ten minutes.
      </p>
      ${pending !== undefined && pending.phrase !== '' && phraseNotice(pending.phrase)}
      ${pending?.takesCode === true && codeForm()}
      <p>Nothing came? Look among the unwanted mails, or <a href="/login">ask for another link</a>.</p>`,
    options,
  );
}

function phraseNotice(phrase: string): Html {
  return html`<p>
    The mail shows the words <strong>${phrase}</strong>. A mail with other words was asked for by somebody
    else: leave its link alone.
  </p>`;
}

function codeForm(): Html {
  return html`<h2>Mail on another device?</h2>
    <p>Open the link there, choose “Get a code”, and type the code here.</p>
    <form class="stacked" method="post" action="/login/code">
      <label for="code">Code</label>
      <input id="code" name="code" autocomplete="off" autocapitalize="characters" required maxlength="20" />
      <button type="submit">Sign in here</button>
    </form>`;
}

/** The code that signs in the device that asked for the link. It says whom it lets in, and that nobody may ask for it. */
export function codePage(code: DeviceCode, options: PageOptions = {}): string {
  return layout(
    'Your code',
    html`<p class="code"><strong>${code.code}</strong></p>
      <p>
        Type it ${askedOn(code)}, into the page “Check your mail”. Whoever types it there is signed in as you.
      </p>
      <p class="problem" role="note">
        Tell this code to nobody, whoever asks: no study and no support needs it. If that device is not in
        front of you, or shows other words, close this page and do nothing.
      </p>
      <p class="quiet">The code is good for as long as the link. Five wrong codes end both.</p>`,
    options,
  );
}

/** `on the device with Firefox on Linux that asked for the link at 12:03 UTC and shows the words Amber lantern` */
function askedOn({ device, askedAt, phrase }: AskingDevice): Html {
  return html`on the device ${device !== '' && html`with <strong>${device}</strong>`} that asked for the link
  at ${askedAt.slice(11, 16)} UTC${phrase !== '' && html` and shows the words <strong>${phrase}</strong>`}`;
}

/** One button, so that a program that opens every link of a mail uses none of them. */
export function confirmPage(
  link: LinkToUse,
  options: PageOptions & {
    readonly accountSwitch?: AccountSwitch | undefined;
    readonly otherDevice?: AskingDevice | undefined;
  } = {},
): string {
  const { accountSwitch, otherDevice } = options;
  return layout(
    'Confirm your sign-in',
    html`${
        accountSwitch === undefined
          ? html`<p>Press the button to sign in on this device.</p>`
          : switchNotice(accountSwitch)
      }
      <form method="post" action="/login/confirm">
        ${hiddenLink(link)}
        <button type="submit">Sign in</button>
      </form>
      ${otherDevice !== undefined && otherDeviceForm(link, otherDevice)}
      <p class="quiet">You did not ask for this? Close the page: nothing has happened.</p>`,
    options,
  );
}

function hiddenLink({ userId, secret, st }: LinkToUse): Html {
  return html`<input type="hidden" name="userId" value="${userId}" />
    <input type="hidden" name="secret" value="${secret}" />
    ${st !== undefined && html`<input type="hidden" name="st" value="${st}" />`}`;
}

function otherDeviceForm(link: LinkToUse, otherDevice: AskingDevice): Html {
  return html`<h2>Sign in on the other device instead?</h2>
    <p>Get a code, and type it ${askedOn(otherDevice)}. Do so only if that device is in front of you.</p>
    <form method="post" action="/login/other-device">
      ${hiddenLink(link)}
      <button class="plain" type="submit">Get a code</button>
    </form>`;
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
