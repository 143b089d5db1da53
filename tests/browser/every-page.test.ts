import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import type { RunningServer } from '../../src/server/start-server.js';
import { startBrowser } from '../support/browser.js';
import { describeWith } from '../support/needed-programs.js';
import { LOOKS, PAGES, openWindow, pagesOf, signedInClient } from '../support/every-page.js';
import type { SignInClient } from '../support/sign-in-client.js';
import { startWholeService } from '../support/start-whole-service.js';
import { watchPage } from '../support/watch-page.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The maximum size of a page with everything it loads, except Swagger UI. */
const BUDGET_BYTES = 200_000;

/** One word that is wider than a narrow window. */
const LONG_ADDRESS = 'somebody.with.a.very.long.name.in.clinical.research@example.org';

interface AxeResults {
  readonly violations: {
    readonly id: string;
    readonly nodes: { readonly html: string; readonly failureSummary: string }[];
  }[];
}

describeWith(['chromium'], 'Every page', function () {
  this.timeout(120_000);
  let browser: Browser;
  let service: RunningServer;
  let client: SignInClient;

  before(async () => {
    [browser, service] = await Promise.all([startBrowser(), startWholeService()]);
    client = await signedInClient(service.url, LONG_ADDRESS);
  });
  after(async () => {
    await browser.close();
    await service.stop();
  });

  for (const [locale, looks] of [
    ['en-GB', LOOKS],
    ['de-DE', LOOKS.filter(({ colorScheme }) => colorScheme === 'light')],
  ] as const)
    it(`has no accessibility findings of axe, no horizontal scrolling and no cut-off text in plots, at 390 and 1280 px, in ${locale}`, async () => {
      const { context, page } = await openWindow(browser, service.url, { locale }, client);
      const findings: string[] = [];
      for (const { name, path } of PAGES) {
        await page.goto(service.url + path);
        await page.evaluate(AXE);
        for (const [index, { colorScheme, width }] of looks.entries()) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize({ width, height: 900 });
          const found = await findingsOf(page, { hasGuest: name === 'docs', areAllRules: index === 0 });
          const overflow = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
          found.push(...(await page.evaluate<string[]>(CUT_OFF)).map((text) => `${text} is cut off`));
          // The tables of Swagger UI may be wider.
          if (name !== 'docs' && overflow > 0) found.push(`${overflow} px too wide`);
          findings.push(...found.map((finding) => `${name}, ${colorScheme}, ${width} px: ${finding}`));
        }
      }
      await context.close();

      expect(findings).to.deep.equal([]);
    });

  for (const [study, locale] of [
    ['classic', 'en-GB'],
    ['longitudinal', 'en-GB'],
    ['classic', 'de-DE'],
    ['longitudinal', 'de-DE'],
  ] as const)
    it(`cuts no table and no text at 320, 390, 768, 1280 and 1920 px, with the ${study} study, in ${locale}`, async () => {
      const shown = await startWholeService({ SANDBOX_STUDY: study, SESSION_SCOPES: EVERY_SCOPE_OF_PAGES });
      const { context, page } = await openWindow(
        browser,
        shown.url,
        { locale },
        await signedInClient(shown.url),
      );
      const findings: string[] = [];
      for (const { name, path } of pagesOf(study).filter((entry) => entry.name !== 'docs')) {
        await page.goto(shown.url + path);
        await page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))");
        for (const width of [320, 390, 768, 1280, 1920]) {
          await page.setViewportSize({ width, height: 900 });
          const found = await page.evaluate<string[]>(CUT_ELEMENTS);
          findings.push(...found.map((text) => `${name}, ${width} px: ${text}`));
        }
      }
      await context.close();
      await shown.stop();

      expect(findings).to.deep.equal([]);
    });

  for (const [study, label] of [
    ['classic', 'Languages spoken at home'],
    ['longitudinal', 'Unscheduled visit, '],
  ] as const)
    it(`prints the report of the ${study} study on one page of A4, with whole labels`, async () => {
      const shown = await startWholeService({ SANDBOX_STUDY: study, SESSION_SCOPES: EVERY_SCOPE_OF_PAGES });
      const signedIn = await signedInClient(shown.url);
      const printed: unknown[] = [];
      for (const locale of ['en-GB', 'de-DE']) {
        const { context, page } = await openWindow(browser, shown.url, { locale, width: A4_WIDTH }, signedIn);
        await page.goto(`${shown.url}/dashboard/report`);
        await page.emulateMedia({ media: 'print' });
        const pdf = (await page.pdf({ format: 'A4', preferCSSPageSize: true })).toString('latin1');
        printed.push({
          locale,
          pages: pdf.match(/\/Type \/Page\b/g)?.length,
          cut: [
            ...(await page.evaluate<string[]>(CUT_OFF)),
            ...(await page.evaluate<string[]>(CUT_ELEMENTS)),
          ],
          hasWholeLabel: (await page.evaluate<string[]>(LABELS)).some((text) => text.startsWith(label)),
        });
        await context.close();
      }
      await shown.stop();

      const right = { pages: 1, cut: [], hasWholeLabel: true };
      expect(printed).to.deep.equal(['en-GB', 'de-DE'].map((locale) => ({ locale, ...right })));
    });

  it('requests nothing from other origins, logs no errors, and weighs less than 200 kB', async () => {
    const problems: string[] = [];
    for (const { name, path, isPersonal } of PAGES.filter((entry) => entry.name !== 'docs')) {
      const { context, page } = await openWindow(browser, service.url, {}, isPersonal ? client : undefined);
      const complaints = watchPage(page);
      let bytes = 0;
      page.on('request', (request) => {
        if (new URL(request.url()).origin !== service.url) problems.push(`${name} asks for ${request.url()}`);
      });
      page.on('response', (response) => {
        if (!response.url().endsWith('/events'))
          void response.body().then(
            (body) => (bytes += body.length),
            () => undefined,
          );
      });
      const answer = await page.goto(service.url + path, { waitUntil: 'load' });
      await context.close();
      if (bytes > BUDGET_BYTES) problems.push(`${name} weighs ${bytes} bytes`);
      // Chromium logs the status of an error page, which is expected here.
      const own = complaints.filter(
        (text) => !(answer && answer.status() >= 400 && text.includes('Failed to load')),
      );
      problems.push(...own.map((text) => `${name}: ${text}`));
    }

    expect(problems).to.deep.equal([]);
  });

  it('renders from one round trip: one style sheet, no blocking script, no inline style', async () => {
    for (const { name, path } of PAGES.filter((entry) => entry.name !== 'docs')) {
      const html = await (await client.send(path, { headers: { accept: 'text/html' } })).text();
      const blocking = [...html.matchAll(/<script(?![^>]*\b(?:defer|async)\b)[^>]*>/g)];

      expect(blocking, name).to.deep.equal([]);
      expect([...html.matchAll(/rel="stylesheet"/g)], name).to.have.length(1);
      expect(html, name).to.not.match(/ style="|<style|<script>| on[a-z]+="/);
    }
  });

  it('has the common frame: mark, navigation, one heading, version and help', async () => {
    for (const { name, path } of PAGES) {
      const html = await (await client.send(path, { headers: { accept: 'text/html' } })).text();

      expect([...html.matchAll(/<h1>/g)], name).to.have.length(1);
      expect(html, name).to.include('src="/assets/mark.svg"').and.include('href="/help"');
      expect(html, name).to.match(/CRF Service \d+\.\d+\.\d+/);
    }
  });

  it('shows whether the visitor is signed in', async () => {
    const stranger = await (
      await fetch(`${service.url}/nowhere`, { headers: { accept: 'text/html' } })
    ).text();
    const person = await (await client.send('/nowhere', { headers: { accept: 'text/html' } })).text();

    expect(stranger).to.include('href="/login"').and.not.include('Sign out');
    expect(person).to.include('Sign out').and.not.include('href="/login"');
  });
});

/** Swagger UI brings landmarks of its own that this project cannot change. */
const GUEST_RULES = {
  'landmark-no-duplicate-banner': { enabled: false },
  'landmark-no-duplicate-main': { enabled: false },
};

/** The texts of plots that reach beyond the drawing. */
const CUT_OFF = `[...document.querySelectorAll('svg.plot text')]
  .filter((text) => {
    const [own, plot] = [text, text.ownerSVGElement].map((element) => element.getBoundingClientRect());
    if (own.width === 0) return false; // the longer or the shorter label, whichever the window has no use for
    return own.left < plot.left || own.right > plot.right || own.top < plot.top || own.bottom > plot.bottom;
  })
  .map((text) => text.textContent)`;

/** The texts of plots that the window shows. */
const LABELS = `[...document.querySelectorAll('svg.plot text')]
  .filter((text) => text.getBoundingClientRect().width > 0)
  .map((text) => text.textContent)`;

/** The width of a page of A4 between the margins of the style sheet, in pixels. */
const A4_WIDTH = 703;

const EVERY_SCOPE_OF_PAGES = 'project:read,records:read,log:read';

/**
 * The tables that are wider than their frame, and the texts that reach beyond the window or their card. A plot of a large
 * design scrolls in its card.
 */
const CUT_ELEMENTS = `[
  ...[...document.querySelectorAll('div.scroll')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map((frame) => frame.getAttribute('aria-label') + ' is cut'),
  ...[...document.querySelectorAll('main :is(p, li, h1, h2, h3, th, td, caption, label, dd, summary, a, button)')]
    .filter((element) => element.closest('figure.scroll, thead') === null)
    .filter((element) => {
      const card = element.closest('.card, main').getBoundingClientRect();
      const { right, left, width } = element.getBoundingClientRect();
      return width > 0 && (right > card.right + 1 || left < card.left - 1 || right > innerWidth + 1);
    })
    .map((element) => element.tagName + ' reaches out: ' + element.textContent.slice(0, 60)),
]`;

/** The rules that depend on colours and window width; the other rules look only at the elements. */
const RULES_OF_LOOKS = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable'];

async function findingsOf(
  page: Page,
  { hasGuest, areAllRules }: { readonly hasGuest: boolean; readonly areAllRules: boolean },
): Promise<string[]> {
  const options = {
    resultTypes: ['violations'],
    ...(hasGuest && { rules: GUEST_RULES }),
    ...(!areAllRules && { runOnly: RULES_OF_LOOKS }),
  };
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run({ exclude: ['#swagger-ui'] }, ${JSON.stringify(options)})`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id} ${html} ${failureSummary}`),
  );
}
