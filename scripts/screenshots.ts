/**
 * Takes the screenshot for the README from the running service: `npm run screenshots`. With a folder, takes every page of
 * both studies instead, in both languages, light and dark, narrow and wide, to be looked at: `npm run screenshots -- build/screenshots`;
 * with names of `tests/support/every-page.ts`, only these pages: `npm run screenshots -- build/screenshots dashboard report`.
 */
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { startBrowser } from '../tests/support/browser.js';
import { LOOKS, openWindow, PAGES, pagesOf, signedInClient } from '../tests/support/every-page.js';
import { startWholeService } from '../tests/support/start-whole-service.js';

/** Maximum size, to keep the README light. */
const MOST_BYTES = 200_000;
const LOCALES = ['en-GB', 'de-DE'];
const STUDIES = ['classic', 'longitudinal'] as const;

const [folder, ...names] = process.argv.slice(2);
const unknown = names.filter((each) => PAGES.every(({ name }) => name !== each));
if (unknown.length > 0)
  throw new Error(
    `No page is called ${unknown.join(' or ')}. The names: ${PAGES.map(({ name }) => name).join(', ')}`,
  );
const browser = await startBrowser();
try {
  if (folder === undefined) await forReadme();
  else for (const study of STUDIES) await everyPage(study, folder);
} finally {
  await browser.close();
}

function start(study: (typeof STUDIES)[number]) {
  return startWholeService({
    SANDBOX_STUDY: study,
    SESSION_SCOPES: 'project:read,records:read,log:read',
    STUDY_START: study === 'classic' ? '2026-01-05' : '2025-11-03',
    STUDY_END: '2026-12-31',
    STUDY_TARGET: study === 'classic' ? '320' : '150',
  });
}

async function forReadme(): Promise<void> {
  const service = await start('longitudinal');
  const client = await signedInClient(service.url);
  const { page } = await openWindow(browser, service.url, { width: 1200 }, client);
  await page.goto(`${service.url}/dashboard`);
  const path = join(import.meta.dirname, '../docs/dashboard.png');
  await page.screenshot({ path });
  await service.stop();
  const { size } = statSync(path);
  if (size > MOST_BYTES) throw new Error(`The screenshot has ${size} bytes; ${MOST_BYTES} are enough.`);
  process.stdout.write(`docs/dashboard.png, ${size} bytes\n`);
}

async function everyPage(study: (typeof STUDIES)[number], into: string): Promise<void> {
  mkdirSync(into, { recursive: true });
  const service = await start(study);
  const client = await signedInClient(service.url);
  for (const [locale, look] of LOCALES.flatMap((each) => LOOKS.map((look) => [each, look] as const))) {
    const { context, page } = await openWindow(browser, service.url, { ...look, locale }, client);
    for (const { name, path } of pagesOf(study).filter(
      (each) => names.length === 0 || names.includes(each.name),
    )) {
      await page.goto(service.url + path);
      const file = `${study}-${name}-${locale.slice(0, 2)}-${look.colorScheme}-${look.width}.png`;
      await page.screenshot({ path: join(into, file), fullPage: true });
    }
    await context.close();
  }
  await service.stop();
  process.stdout.write(`${into}: ${names.join(', ') || 'every page'} of the ${study} study\n`);
}
