import type { Child } from 'hono/jsx';
import type { AccountSwitch, AskingDevice, DeviceCode, LinkToUse } from '../services/auth/auth-types.js';
import { renderPage } from './page.js';
import type { PageContext } from './page-context.js';
import type { Texts } from './texts/texts.js';

/** The form that asks for an address. `problem` describes the error in the previous one, which stays in the field. */
export function signInPage(
  context: PageContext,
  options: { readonly problem?: string; readonly email?: string } = {},
): string {
  const { signIn } = context.t;
  return renderPage({
    title: signIn.title,
    context,
    lead: signIn.lead,
    children: (
      <div class="card">
        {options.problem !== undefined && <Problem>{options.problem}</Problem>}
        <form class="stacked" method="post" action="/login/send">
          <label for="email">{signIn.email}</label>
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
          {context.isSandbox && <p class="quiet">{signIn.sandboxAddress}</p>}
          <button type="submit">{signIn.send}</button>
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
  const { checkMail } = context.t;
  return renderPage({
    title: checkMail.title,
    context,
    lead: checkMail.lead,
    children: (
      <>
        {problem !== undefined && pending?.takesCode !== true && <Problem>{problem}</Problem>}
        {pending !== undefined && pending.phrase !== '' && <p>{checkMail.phrase(pending.phrase)}</p>}
        {context.isSandbox && (
          <p>
            <a class="button" href="/sandbox/mailbox">
              {checkMail.openMailbox}
            </a>
          </p>
        )}
        {pending?.takesCode === true && <CodeForm problem={problem} {...context} />}
        <p>{checkMail.noMail}</p>
      </>
    ),
  });
}

function CodeForm({ problem, t: { checkMail } }: PageContext & { readonly problem: string | undefined }) {
  return (
    <section class="card">
      <h2>{checkMail.otherDevice}</h2>
      <p>{checkMail.getCodeThere}</p>
      {problem !== undefined && <Problem>{problem}</Problem>}
      <form class="stacked" method="post" action="/login/code">
        <label for="code">{checkMail.code}</label>
        <input id="code" name="code" autocomplete="off" autocapitalize="characters" required maxlength={20} />
        <button type="submit">{checkMail.signInHere}</button>
      </form>
    </section>
  );
}

/**
 * The page with the code that signs in the device that asked for the link. It states whom the code lets in, and that
 * nobody may ask for it.
 */
export function codePage(context: PageContext, code: DeviceCode): string {
  const { t } = context;
  return renderPage({
    title: t.code.title,
    context,
    children: (
      <>
        <p class="code">
          <strong>{code.code}</strong>
        </p>
        <p>{t.code.typeIt(...askedOn(code, t))}</p>
        <p class="problem" role="note">
          {t.code.warning}
        </p>
        <p class="quiet">{t.code.validity}</p>
      </>
    ),
  });
}

/** What the texts say of the device that asked for a link. */
function askedOn({ device, askedAt, phrase }: AskingDevice, t: Texts): [string, string, string] {
  return [t.device(device), t.time(askedAt), phrase];
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
  const { confirm } = context.t;
  return renderPage({
    title: confirm.title,
    context: { ...context, hasSignIn: false }, // no second button next to the one in question
    children: (
      <>
        <div class="card">
          {/* The link may come from somebody else, and what the person enters would go to that account. */}
          <p>{accountSwitch === undefined ? confirm.press : confirm.otherAccount(accountSwitch.account)}</p>
          <form method="post" action="/login/confirm">
            <HiddenLink {...link} />
            <button type="submit">{confirm.signIn}</button>
          </form>
        </div>
        {otherDevice !== undefined && <OtherDeviceForm link={link} device={otherDevice} t={context.t} />}
        <p class="quiet">{confirm.notAsked}</p>
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

function OtherDeviceForm({
  link,
  device,
  t,
}: {
  readonly link: LinkToUse;
  readonly device: AskingDevice;
  readonly t: Texts;
}) {
  return (
    <section class="card">
      <h2>{t.confirm.otherDevice}</h2>
      <p>{t.confirm.getCodeFor(...askedOn(device, t))}</p>
      <form method="post" action="/login/other-device">
        <HiddenLink {...link} />
        <button class="plain" type="submit">
          {t.confirm.getCode}
        </button>
      </form>
    </section>
  );
}

/** The page for every link that cannot be used. It does not state the reason (LOGIN-08). */
export function linkNotValidPage(context: PageContext): string {
  const { linkNotValid } = context.t;
  return renderPage({
    title: linkNotValid.title,
    context,
    lead: linkNotValid.lead,
    children: (
      <>
        <p>
          <a class="button" href="/login">
            {linkNotValid.askAgain}
          </a>
        </p>
        <p class="quiet">{linkNotValid.whoToAsk}</p>
      </>
    ),
  });
}

export function signedOutPage(context: PageContext): string {
  const { signedOut } = context.t;
  return renderPage({
    title: signedOut.title,
    context: { ...context, isSignedIn: false },
    lead: signedOut.lead,
    children: (
      <p>
        <a class="button" href="/login">
          {signedOut.signInAgain}
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
