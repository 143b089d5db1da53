import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import type { RunningServer } from '../../src/server/start-server.js';
import { startBrowser } from '../support/browser.js';
import { openWindow, signedInClient } from '../support/every-page.js';
import type { SignInClient } from '../support/sign-in-client.js';
import { startWholeService } from '../support/start-whole-service.js';

describe('The dashboard of a trial, in a browser', function () {
  this.timeout(120_000);
  let browser: Browser;
  let service: RunningServer;
  let client: SignInClient;

  before(async () => {
    [browser, service] = await Promise.all([
      startBrowser(),
      startWholeService({
        SANDBOX_STUDY: 'longitudinal',
        SESSION_SCOPES: 'project:read,records:read,logs:read',
      }),
    ]);
    client = await signedInClient(service.url);
  });
  after(async () => {
    await browser.close();
    await service.stop();
  });

  for (const [how, look] of [
    ['in a wide window', { width: 1280 }],
    ['in a narrow window, dark', { width: 390, colorScheme: 'dark' }],
    ['without scripts', { javaScriptEnabled: false }],
  ] as const)
    it(`leads in three steps to who is overdue at a site, their file and one record, ${how}`, async () => {
      const { context, page } = await openWindow(browser, service.url, look, client);
      await page.goto(`${service.url}/dashboard?site=krakow`);

      await page.getByRole('link', { name: 'Who is due' }).click();
      await page.getByLabel('Form').selectOption('vitals');
      await page.getByLabel('Event').selectOption('week_12_arm_1');
      await page.getByRole('button', { name: 'Show' }).click();
      const row = page.getByRole('row', { name: /^Krakow/ });
      const count = (await row.getByRole('link').first().textContent()) ?? '';
      await row.getByRole('link').first().click();

      expect(await page.locator('table[data-total]').getAttribute('data-total')).to.equal(count);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Download (CSV)' }).click(),
      ]);
      expect(download.suggestedFilename()).to.equal(
        'trial-2026-synthetic-vitals-week-12-arm-1-krakow-overdue-2026-11-03.csv',
      );
      const lines = readFileSync(await download.path(), 'utf8')
        .trim()
        .split('\n');
      expect(lines).to.have.length(Number(count) + 1);
      const record = lines[1]?.split(',')[0] ?? '';
      await page.getByRole('link', { name: record }).first().click();
      expect(await page.textContent('h1')).to.equal(`Record ${record}`);
      await context.close();
    });

  it('says what a bar stands for to the keyboard and the pointer, and leads to its list', async () => {
    const { context, page } = await openWindow(browser, service.url, {}, client);
    await page.goto(`${service.url}/dashboard`);
    const bar = page.locator('#sites-heading ~ figure a.mark', { hasText: 'Krakow: 30' });
    const words = bar.locator('.tip');

    expect(await words.isVisible()).to.equal(false);
    await bar.locator('rect').hover();
    expect(await words.isVisible()).to.equal(true);
    await page.mouse.move(0, 0);
    expect(await words.isVisible()).to.equal(false);
    await page.locator('#sites-heading ~ figure').focus();
    for (let steps = 0; steps < 10 && (await page.evaluate(FOCUSED)) !== 'Krakow: 30'; steps++)
      await page.keyboard.press('Tab');
    expect(await words.isVisible()).to.equal(true);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dashboard/records?site=krakow');
    expect(await page.locator('table').getAttribute('data-total')).to.equal('30');
    await context.close();
  });
});

const FOCUSED = 'document.activeElement.getAttribute("aria-label")';
