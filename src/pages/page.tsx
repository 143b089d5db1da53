import type { Child } from 'hono/jsx';
import { pathBelow } from '../http/mounted-at.js';
import { PACKAGE_VERSION } from '../services/package-version.js';
import { ASSETS } from './assets.js';
import type { PageContext } from './page-context.js';
import { LANGUAGES } from './texts/texts.js';

/** The properties of one page. */
export interface Page {
  readonly title: string;
  readonly context: PageContext;
  readonly children: Child;
  /** Optional scripts of this origin. The page works without them. */
  readonly scripts?: readonly string[];
  /** Additional style sheets of this origin. */
  readonly styleSheets?: readonly string[];
  /** Whether the page uses the whole width of the window, for tables and plots. */
  readonly isWide?: boolean;
  /** One short line below the heading. */
  readonly lead?: Child;
}

/** Renders a page in the common frame: header, navigation, one heading, footer. All content is escaped. */
export function renderPage(page: Page): string {
  // eslint-disable-next-line @typescript-eslint/no-base-to-string -- an element of Hono converts to its own HTML
  return `<!doctype html>${below(page.context.base, String(<Frame {...page} />))}`;
}

/** An address of this service in an attribute. Nothing else has its quotation mark: in texts and values it is escaped. */
const OWN_ADDRESS = / (href|src|action|formaction|data-events|data-png)="(\/[^"]*)/g;

/** Puts the path of the service in front of every address of a page. */
function below(base: string, html: string): string {
  if (base === '') return html;
  return html.replace(
    OWN_ADDRESS,
    (_match, name: string, path: string) => ` ${name}="${pathBelow(base, path)}`,
  );
}

function Frame({ title, context, children, scripts = [], styleSheets = [], isWide, lead }: Page) {
  return (
    <html lang={context.t.lang}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · CRF Service`}</title>
        <link rel="icon" type="image/svg+xml" href={ASSETS.mark} />
        <link rel="stylesheet" href={ASSETS.styleSheet} />
        {styleSheets.map((href) => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
        {scripts.map((src) => (
          <script key={src} src={src} defer />
        ))}
      </head>
      <body>
        <a class="skip" href="#main">
          {context.t.frame.skip}
        </a>
        {context.isSandbox && <SandboxNotice {...context} />}
        <Header context={context} />
        <main id="main" tabindex={-1} class={isWide ? 'wide' : undefined}>
          <h1>{title}</h1>
          {lead !== undefined && <p class="lead">{lead}</p>}
          {children}
        </main>
        <Footer context={context} />
      </body>
    </html>
  );
}

function SandboxNotice({ hasSignIn, t: { frame } }: PageContext) {
  return (
    <aside class="sandbox" aria-label={frame.sandbox}>
      {hasSignIn ? (
        <>
          {frame.sandboxNoticeWithMail} <a href="/sandbox/mailbox">{frame.openMailbox}</a>
        </>
      ) : (
        frame.sandboxNotice
      )}
    </aside>
  );
}

function Header({ context }: { readonly context: PageContext }) {
  const { hasSignIn, isSignedIn, path, t } = context;
  const isSignInPage = path === '/login';
  return (
    <header class="site">
      <a class="brand" href="/">
        <img src={ASSETS.mark} alt="" width="28" height="28" />
        CRF Service
      </a>
      {context.projects.length > 1 && <Switcher {...context} />}
      <nav aria-label={t.frame.pages}>
        <ul>
          {entriesOf(context).map(({ href, label }) => (
            <li key={href}>
              <a href={href} aria-current={isHere(path, href) ? 'page' : undefined}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {hasSignIn && !isSignInPage && (
        <div class="session">
          {isSignedIn ? (
            <form method="post" action="/dashboard/sign-out">
              <button class="plain small" type="submit">
                {t.frame.signOut}
              </button>
            </form>
          ) : (
            <a class="button small" href="/login">
              {t.frame.signIn}
            </a>
          )}
        </div>
      )}
    </header>
  );
}

/** The projects of the reader. */
function Switcher({ projects, project, t: { frame } }: PageContext) {
  return (
    <details class="projects">
      <summary>{project === undefined ? frame.chooseProject : frame.project(project)}</summary>
      <ul>
        {projects.map((name) => (
          <li key={name}>
            <a href={`/projects/${name}/dashboard`} aria-current={name === project ? 'true' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}

function entriesOf({ hasDashboard, hasReference, hasSignIn, isSignedIn, t: { frame } }: PageContext) {
  return [
    ...(hasDashboard ? [{ href: '/dashboard', label: frame.dashboard }] : []),
    ...(hasDashboard ? [{ href: '/try-file', label: frame.tryFile }] : []),
    ...(hasSignIn && isSignedIn ? [{ href: '/dashboard/sessions', label: frame.account }] : []),
    ...(hasReference ? [{ href: '/docs/', label: frame.reference }] : []),
  ];
}

function isHere(path: string, href: string): boolean {
  return path === href || (href === '/docs/' && path.startsWith(href));
}

function Footer({ context }: { readonly context: PageContext }) {
  const { hasReference, helpUrl, t } = context;
  return (
    <footer class="site">
      <p>CRF Service {PACKAGE_VERSION}</p>
      <ul>
        <li>
          <a href="/help">{t.frame.help}</a>
        </li>
        {hasReference && (
          <li>
            <a href="/docs/">{t.frame.apiReference}</a>
          </li>
        )}
        <li>
          <a href="/openapi.json">{t.frame.openApi}</a>
        </li>
        {helpUrl !== undefined && (
          <li>
            <a href={helpUrl}>{t.frame.contact}</a>
          </li>
        )}
      </ul>
      {context.here !== undefined && <LanguageSwitch {...context} here={context.here} />}
    </footer>
  );
}

/** The other languages, of which a form chooses one: as a link, the address of the page could end up in a log. */
function LanguageSwitch({ t, here }: PageContext & { readonly here: string }) {
  return (
    <form class="actions" method="post" action="/language">
      <input type="hidden" name="to" value={here} />
      {Object.entries(LANGUAGES).map(
        ([lang, { nameOfLanguage }]) =>
          lang !== t.lang && (
            <button key={lang} class="plain small" type="submit" name="language" value={lang} lang={lang}>
              {nameOfLanguage}
            </button>
          ),
      )}
    </form>
  );
}
