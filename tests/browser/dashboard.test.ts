import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import type { Browser, Locator } from 'playwright-core';
import type { RunningServer } from '../../src/server/start-server.js';
import { LANGUAGES } from '../../src/pages/texts/texts.js';
import { startBrowser } from '../support/browser.js';
import { describeWith } from '../support/needed-programs.js';
import { openWindow, signedInClient } from '../support/every-page.js';
import type { SignInClient } from '../support/sign-in-client.js';
import { startWholeService } from '../support/start-whole-service.js';

/** How a reader uses a page. */
interface Hand {
  press(control: Locator): Promise<void>;
  choose(control: Locator, label: string): Promise<void>;
}

const POINTER: Hand = {
  press: (control) => control.click(),
  choose: async (control, label) => void (await control.selectOption({ label })),
};

const KEYBOARD: Hand = {
  press: async (control) => {
    await tabTo(control);
    await control.page().keyboard.press('Enter');
  },
  choose: async (control, label) => {
    await tabTo(control);
    await control.page().keyboard.type(label);
    expect(await control.locator('option:checked').textContent()).to.equal(label);
  },
};

/** The most steps to a control of a page. */
const MOST_STEPS = 150;

/** Presses Tab until a control has the focus. */
async function tabTo(control: Locator): Promise<void> {
  await control.waitFor();
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    if (await control.evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await control.page().keyboard.press('Tab');
  }
  throw new Error(`The keyboard does not reach ${control.toString()}`);
}

describeWith(['chromium'], 'The dashboard of a trial, in a browser', function () {
  this.timeout(120_000);
  let browser: Browser;
  let service: RunningServer;
  let client: SignInClient;

  before(async () => {
    [browser, service] = await Promise.all([
      startBrowser(),
      startWholeService({
        SANDBOX_STUDY: 'longitudinal',
        SESSION_SCOPES: 'project:read,records:read,log:read',
      }),
    ]);
    client = await signedInClient(service.url);
  });
  after(async () => {
    await browser.close();
    await service.stop();
  });

  const WAYS = [
    ['in a wide window', { width: 1280 }, POINTER],
    ['in a narrow window, dark', { width: 390, colorScheme: 'dark' }, POINTER],
    ['at 200 %', { width: 640 }, POINTER],
    ['without scripts', { javaScriptEnabled: false }, POINTER],
    ['by keyboard alone', { width: 1280 }, KEYBOARD],
  ] as const;
  for (const t of Object.values(LANGUAGES))
    for (const [how, look, hand] of WAYS)
      it(`leads in three steps to who is overdue in a data access group, their file and one record, ${how}, in ${t.nameOfLanguage}`, async () => {
        const { context, page } = await openWindow(browser, service.url, { ...look, locale: t.lang }, client);
        await page.goto(`${service.url}/dashboard?dag=krakow`);

        await hand.press(page.getByRole('link', { name: t.dashboard.due }));
        await hand.choose(page.getByLabel(t.filter.instrument), 'Vital signs');
        await hand.choose(page.getByLabel(t.filter.event), `Week 12${t.study.inArm('1')}`);
        await hand.press(page.getByRole('button', { name: t.filter.show }));
        await page.waitForURL('**/dashboard/due?*instrument=vitals*');
        const link = page
          .getByRole('row', { name: /^Krakow/ })
          .getByRole('link')
          .first();
        const count = (await link.textContent()) ?? '';
        await hand.press(link);
        await page.waitForURL('**/dashboard/due?*state=overdue*');

        expect(await page.locator('table[data-total]').getAttribute('data-total')).to.equal(count);
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          hand.press(page.getByRole('link', { name: t.lists.download })),
        ]);
        expect(download.suggestedFilename()).to.equal(
          'trial-2026-synthetic-vitals-week-12-arm-1-krakow-overdue-2026-11-03.csv',
        );
        const lines = readFileSync(await download.path(), 'utf8')
          .trim()
          .split('\n');
        expect(lines).to.have.length(Number(count) + 1);
        const record = lines[1]?.split(',')[0] ?? '';
        await hand.press(page.getByRole('link', { name: record }).first());
        await page.waitForURL(`**/records/${record}`);
        expect(await page.textContent('h1')).to.equal(t.record.title(record));
        await context.close();
      });

  it('says what a bar stands for to the keyboard and the pointer, and leads to its list', async () => {
    const { context, page } = await openWindow(browser, service.url, {}, client);
    await page.goto(`${service.url}/dashboard`);
    const bar = page.locator('#dags-heading ~ figure a.mark', { hasText: 'Krakow: 30' });
    const words = bar.locator('.tip');

    expect(await words.isVisible()).to.equal(false);
    await bar.locator('rect').hover();
    expect(await words.isVisible()).to.equal(true);
    await page.mouse.move(0, 0);
    expect(await words.isVisible()).to.equal(false);
    await page.locator('#dags-heading ~ figure').focus();
    for (let steps = 0; steps < 10 && (await page.evaluate(FOCUSED)) !== 'Krakow: 30'; steps++)
      await page.keyboard.press('Tab');
    expect(await words.isVisible()).to.equal(true);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dashboard/records?dag=krakow');
    expect(await page.locator('table').getAttribute('data-total')).to.equal('30');
    await context.close();
  });
});

const FOCUSED = 'document.activeElement.getAttribute("aria-label")';
