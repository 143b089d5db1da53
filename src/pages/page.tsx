import type { Child } from 'hono/jsx';
import { pathBelow } from '../http/mounted-at.js';
import { PACKAGE_VERSION } from '../services/package-version.js';
import { ASSETS } from './assets.js';
import type { PageContext } from './page-context.js';

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
    <html lang="en">
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
          Skip to the content
        </a>
        {context.isSandbox && <SandboxNotice hasMailbox={context.hasSignIn} />}
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

function SandboxNotice({ hasMailbox }: { readonly hasMailbox: boolean }) {
  return (
    <aside class="sandbox" aria-label="Sandbox">
      This is a sandbox: nothing here is real{hasMailbox && ', and no mail is sent'}.
      {hasMailbox && (
        <>
          {' '}
          <a href="/sandbox/mailbox">Open the mailbox</a>
        </>
      )}
    </aside>
  );
}

function Header({ context }: { readonly context: PageContext }) {
  const { hasSignIn, isSignedIn, path } = context;
  const isSignInPage = path === '/login';
  return (
    <header class="site">
      <a class="brand" href="/">
        <img src={ASSETS.mark} alt="" width="28" height="28" />
        CRF Service
      </a>
      {context.projects.length > 1 && <Switcher {...context} />}
      <nav aria-label="Pages">
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
                Sign out
              </button>
            </form>
          ) : (
            <a class="button small" href="/login">
              Sign in
            </a>
          )}
        </div>
      )}
    </header>
  );
}

/** The projects of the reader. */
function Switcher({ projects, project }: PageContext) {
  return (
    <details class="projects">
      <summary>Project: {project ?? 'choose'}</summary>
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

function entriesOf({ hasDashboard, hasReference, hasSignIn, isSignedIn }: PageContext) {
  return [
    ...(hasDashboard ? [{ href: '/dashboard', label: 'Dashboard' }] : []),
    ...(hasDashboard ? [{ href: '/try-file', label: 'Try a file' }] : []),
    ...(hasSignIn && isSignedIn ? [{ href: '/dashboard/sessions', label: 'Account' }] : []),
    ...(hasReference ? [{ href: '/docs/', label: 'Reference' }] : []),
  ];
}

function isHere(path: string, href: string): boolean {
  return path === href || (href === '/docs/' && path.startsWith(href));
}

function Footer({ context: { hasReference, helpUrl } }: { readonly context: PageContext }) {
  return (
    <footer class="site">
      <p>CRF Service {PACKAGE_VERSION}</p>
      <ul>
        <li>
          <a href="/help">Help</a>
        </li>
        {hasReference && (
          <li>
            <a href="/docs/">API reference</a>
          </li>
        )}
        <li>
          <a href="/openapi.json">OpenAPI document</a>
        </li>
        {helpUrl !== undefined && (
          <li>
            <a href={helpUrl}>Contact</a>
          </li>
        )}
      </ul>
    </footer>
  );
}
