import type { Child } from 'hono/jsx';
import type { AccountSwitch, AskingDevice, DeviceCode, LinkToUse } from '../services/auth/auth-types.js';
import { renderPage } from './page.js';
import type { PageContext } from './page-context.js';

/** The form that asks for an address. `problem` describes the error in the previous one, which stays in the field. */
export function signInPage(
  context: PageContext,
  options: { readonly problem?: string; readonly email?: string } = {},
): string {
  return renderPage({
    title: 'Sign in',
    context,
    lead: 'Enter your email address. You will get a link that signs you in: there is no password.',
    children: (
      <div class="card">
        {options.problem !== undefined && <Problem>{options.problem}</Problem>}
        <form class="stacked" method="post" action="/login/send">
          <label for="email">Email address</label>
          <input
            id="email"
            name="email"
            type="email"
            autocomplete="email"
            required
            maxlength={254}
            value={options.email}
            autofocus
          />
          {context.isSandbox && <p class="quiet">On the sandbox, any address at example.org works.</p>}
          <button type="submit">Send me a link</button>
        </form>
      </div>
    ),
  });
}

/** The page after the form, whether or not the address is known. */
export function checkMailPage(
  context: PageContext,
  options: {
    readonly pending?: { readonly phrase: string; readonly takesCode: boolean } | undefined;
    readonly problem?: string;
  } = {},
): string {
  const { pending, problem } = options;
  return renderPage({
    title: 'Check your mail',
    context,
    lead: 'If the address can sign in here, a link is on its way to it. The link works once, for ten minutes.',
    children: (
      <>
        {problem !== undefined && pending?.takesCode !== true && <Problem>{problem}</Problem>}
        {pending !== undefined && pending.phrase !== '' && (
          <p>
            The mail shows the words <strong>{pending.phrase}</strong>. If a mail shows other words, somebody
            else requested it: do not use its link.
          </p>
        )}
        {context.isSandbox && (
          <p>
            <a class="button" href="/sandbox/mailbox">
              Open the mailbox of the sandbox
            </a>
          </p>
        )}
        {pending?.takesCode === true && <CodeForm problem={problem} />}
        <p>
          No mail? Check your spam folder, or <a href="/login">ask for another link</a>.
        </p>
      </>
    ),
  });
}

function CodeForm({ problem }: { readonly problem: string | undefined }) {
  return (
    <section class="card">
      <h2>Mail on another device?</h2>
      <p>Open the link there, choose “Get a code”, and type the code here.</p>
      {problem !== undefined && <Problem>{problem}</Problem>}
      <form class="stacked" method="post" action="/login/code">
        <label for="code">Code</label>
        <input id="code" name="code" autocomplete="off" autocapitalize="characters" required maxlength={20} />
        <button type="submit">Sign in here</button>
      </form>
    </section>
  );
}

/**
 * The page with the code that signs in the device that asked for the link. It states whom the code lets in, and that
 * nobody may ask for it.
 */
export function codePage(context: PageContext, code: DeviceCode): string {
  return renderPage({
    title: 'Your code',
    context,
    children: (
      <>
        <p class="code">
          <strong>{code.code}</strong>
        </p>
        <p>
          Type it <AskedOn {...code} />, into the page “Check your mail”. Whoever types it there is signed in
          as you.
        </p>
        <p class="problem" role="note">
          Never tell anyone this code: no study and no support team needs it. If that device is not in front
          of you, or shows other words, close this page.
        </p>
        <p class="quiet">The code is valid as long as the link. After five wrong codes neither works.</p>
      </>
    ),
  });
}

/**
 * Returns, for example, `on the device with Firefox on Linux that asked for the link at 12:03 UTC and shows the words
 * Amber lantern`.
 */
function AskedOn({ device, askedAt, phrase }: AskingDevice) {
  return (
    <>
      on the device{' '}
      {device !== '' && (
        <>
          with <strong>{device}</strong>{' '}
        </>
      )}
      that asked for the link at {askedAt.slice(11, 16)} UTC
      {phrase !== '' && (
        <>
          {' '}
          and shows the words <strong>{phrase}</strong>
        </>
      )}
    </>
  );
}

/** The confirmation page. Its button prevents programs that open every link of an email from using them. */
export function confirmPage(
  context: PageContext,
  link: LinkToUse,
  options: {
    readonly accountSwitch?: AccountSwitch | undefined;
    readonly otherDevice?: AskingDevice | undefined;
  } = {},
): string {
  const { accountSwitch, otherDevice } = options;
  return renderPage({
    title: 'Confirm your sign-in',
    context: { ...context, hasSignIn: false }, // no second button next to the one in question
    children: (
      <>
        <div class="card">
          {accountSwitch === undefined ? (
            <p>Press the button to sign in on this device.</p>
          ) : (
            <SwitchNotice {...accountSwitch} />
          )}
          <form method="post" action="/login/confirm">
            <HiddenLink {...link} />
            <button type="submit">Sign in</button>
          </form>
        </div>
        {otherDevice !== undefined && <OtherDeviceForm link={link} device={otherDevice} />}
        <p class="quiet">You did not ask for this? Close the page: nothing has changed.</p>
      </>
    ),
  });
}

function HiddenLink({ userId, secret, st }: LinkToUse) {
  return (
    <>
      <input type="hidden" name="userId" value={userId} />
      <input type="hidden" name="secret" value={secret} />
      {st !== undefined && <input type="hidden" name="st" value={st} />}
    </>
  );
}

function OtherDeviceForm({ link, device }: { readonly link: LinkToUse; readonly device: AskingDevice }) {
  return (
    <section class="card">
      <h2>Sign in on the other device instead?</h2>
      <p>
        Get a code, and type it <AskedOn {...device} />. Do so only if that device is in front of you.
      </p>
      <form method="post" action="/login/other-device">
        <HiddenLink {...link} />
        <button class="plain" type="submit">
          Get a code
        </button>
      </form>
    </section>
  );
}

/**
 * Warns of an account switch. The link may come from somebody else, and what the person enters would go to that
 * account.
 */
function SwitchNotice({ account }: AccountSwitch) {
  return (
    <p>
      You are signed in with another account. This link is for{' '}
      <strong>{account ?? 'a different account'}</strong>: the button signs you in there and ends your current
      session.
    </p>
  );
}

/** The page for every link that cannot be used. It does not state the reason (LOGIN-08). */
export function linkNotValidPage(context: PageContext): string {
  return renderPage({
    title: 'This link cannot be used',
    context,
    lead: 'A sign-in link works once, within ten minutes, and only exactly as it was sent.',
    children: (
      <>
        <p>
          <a class="button" href="/login">
            Ask for a new link
          </a>
        </p>
        <p class="quiet">New links do not work either? Ask whoever runs the study whether you may sign in.</p>
      </>
    ),
  });
}

export function signedOutPage(context: PageContext): string {
  return renderPage({
    title: 'You are signed out',
    context: { ...context, isSignedIn: false },
    lead: 'Your session on this device has ended.',
    children: (
      <p>
        <a class="button" href="/login">
          Sign in again
        </a>
      </p>
    ),
  });
}

function Problem({ children }: { readonly children: Child }) {
  return (
    <p class="problem" role="alert">
      {children}
    </p>
  );
}
