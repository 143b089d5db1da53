import type { Browser, BrowserContext, Page } from 'playwright-core';
import { SignInClient } from './sign-in-client.js';

/** Color schemes and widths in which pages are tested. */
export const LOOKS = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [390, 1280].map((width) => ({ colorScheme, width })),
);

export type Look = (typeof LOOKS)[number];

/** Every page of the service with a name; `isPersonal` pages need a session. */
export const PAGES: readonly {
  readonly name: string;
  readonly path: string;
  readonly isPersonal?: boolean;
}[] = [
  { name: 'home', path: '/' },
  { name: 'sign-in', path: '/login' },
  { name: 'check-mail', path: '/login/sent' },
  { name: 'link-not-valid', path: '/login?userId=nobody&secret=wrong' },
  { name: 'signed-out', path: '/signed-out' },
  { name: 'help', path: '/help' },
  { name: 'mailbox', path: '/sandbox/mailbox' },
  { name: 'not-found', path: '/nowhere' },
  { name: 'bad-request', path: '/api/v1/records?nonesuch=1' },
  { name: 'docs', path: '/docs/' },
  { name: 'dashboard', path: '/dashboard', isPersonal: true },
  { name: 'try-file', path: '/try-file', isPersonal: true },
  { name: 'forms', path: '/dashboard/forms?status=incomplete', isPersonal: true },
  { name: 'records', path: '/dashboard/records', isPersonal: true },
  { name: 'record', path: '/dashboard/records/COHORT-2026-PARTICIPANT-0001', isPersonal: true },
  { name: 'due', path: '/dashboard/due', isPersonal: true },
  { name: 'report', path: '/dashboard/report', isPersonal: true },
  { name: 'findings', path: '/dashboard/findings?rule=required_empty', isPersonal: true },
  { name: 'sessions', path: '/dashboard/sessions', isPersonal: true },
  { name: 'delete-account', path: '/dashboard/delete-account', isPersonal: true },
];

/** The pages with a record of the study that a sandbox starts with. */
export function pagesOf(study: 'classic' | 'longitudinal'): typeof PAGES {
  const record = study === 'classic' ? 'COHORT-2026-PARTICIPANT-0001' : 'TRIAL-2026-PARTICIPANT-0001';
  return PAGES.map((page) =>
    page.name === 'record' ? { ...page, path: `/dashboard/records/${record}` } : page,
  );
}

/** Opens a browser window, signed in with the cookies of a client. */
export async function openWindow(
  browser: Browser,
  url: string,
  look: Partial<Look> & { readonly javaScriptEnabled?: boolean; readonly locale?: string } = {},
  client?: SignInClient,
): Promise<{ context: BrowserContext; page: Page }> {
  const { colorScheme = 'light', width = 1280, javaScriptEnabled = true, locale = 'en-GB' } = look;
  const context = await browser.newContext({
    colorScheme,
    viewport: { width, height: 900 },
    javaScriptEnabled,
    locale,
  });
  // Let a missing step fail before the timeout of the test.
  context.setDefaultTimeout(20_000);
  await context.addCookies([...(client?.cookies ?? [])].map(([name, value]) => ({ name, value, url })));
  return { context, page: await context.newPage() };
}

/** Returns a client that has signed in like a browser. */
export async function signedInClient(url: string, email = 'grace.hopper@example.org'): Promise<SignInClient> {
  const client = new SignInClient(url);
  await client.signIn(email);
  return client;
}
