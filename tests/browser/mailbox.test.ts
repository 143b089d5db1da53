import { expect } from 'chai';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { RunningServer } from '../../src/server/start-server.js';
import { startBrowser } from '../support/browser.js';
import { describeWith } from '../support/needed-programs.js';
import { openWindow } from '../support/every-page.js';
import { startWholeService } from '../support/start-whole-service.js';
import { watchPage } from '../support/watch-page.js';

describeWith(['chromium'], 'The mailbox, in a browser', function () {
  this.timeout(60_000);
  let browser: Browser;
  let service: RunningServer;
  let context: BrowserContext;
  let page: Page;

  before(async () => {
    browser = await startBrowser();
  });
  after(() => browser.close());
  beforeEach(async () => {
    service = await startWholeService();
    ({ context, page } = await openWindow(browser, service.url));
  });
  afterEach(async () => {
    await context.close();
    await service.stop();
  });

  const askFor = (email: string) =>
    fetch(`${service.url}/api/v1/auth/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email }),
    });

  it('shows a new mail without a reload', async () => {
    const complaints = watchPage(page);
    await page.goto(`${service.url}/sandbox/mailbox`);
    await page.getByText('appear here by themselves').waitFor();
    await page.evaluate('window.isTheSamePage = true');

    await askFor('ada.lovelace@example.org');
    await page.getByText('To ada.lovelace@example.org').waitFor();

    expect(await page.evaluate('window.isTheSamePage')).to.equal(true);
    expect(complaints).to.deep.equal([]);
  });

  it('does not move content under the pointer: new mail waits for a click', async () => {
    await askFor('ada.lovelace@example.org');
    await page.goto(`${service.url}/sandbox/mailbox`);
    await page.getByText('appear here by themselves').waitFor();
    const link = page.locator('#main').getByRole('link', { name: 'Sign in as ada.lovelace@example.org' });
    await link.hover();
    const before = await link.boundingBox();

    await askFor('grace.hopper@example.org');
    const offer = page.getByRole('button', { name: 'Show the new mails (1)' });
    await offer.waitFor();

    expect(await link.boundingBox()).to.deep.equal(before);
    await offer.click();
    await page.getByText('To grace.hopper@example.org').waitFor();
  });

  it('shows what arrived while its stream was interrupted', async () => {
    let streams = 0;
    await page.route('**/sandbox/mailbox/events', async (route) => {
      streams += 1;
      if (streams === 1) return route.fulfill({ contentType: 'text/event-stream', body: 'retry: 50\n\n' });
      if (streams === 2) await askFor('ada.lovelace@example.org');
      return route.continue();
    });
    await page.goto(`${service.url}/sandbox/mailbox`);

    await page.getByText('To ada.lovelace@example.org').waitFor();
  });

  it('offers no number of mails once some were missed', async () => {
    await askFor('ada.lovelace@example.org');
    let streams = 0;
    await page.route('**/sandbox/mailbox/events', async (route) => {
      streams += 1;
      if (streams === 1) return route.fulfill({ contentType: 'text/event-stream', body: 'retry: 50\n\n' });
      await page.getByText('To ada.lovelace@example.org').hover();
      await askFor('grace.hopper@example.org');
      return route.continue();
    });
    await page.goto(`${service.url}/sandbox/mailbox`);
    const offer = page.getByRole('button', { name: 'Show the new mails' });
    await offer.waitFor();
    await offer.evaluate('(button) => button.setAttribute("data-earlier", "")');

    await askFor('alan.turing@example.org');
    await page.locator('#live button:not([data-earlier])').waitFor();

    expect(await page.textContent('#live')).to.equal('Show the new mails');
    await offer.click();
    await page.getByText('To alan.turing@example.org').waitFor();
    await page.getByText('To grace.hopper@example.org').waitFor();
  });

  it('offers the plain link once its stream has ended for good', async () => {
    let streams = 0;
    await page.route('**/sandbox/mailbox/events', async (route) => {
      streams += 1;
      if (streams > 1) return route.fulfill({ status: 204 });
      return route.fulfill({ contentType: 'text/event-stream', body: 'retry: 50\n\n' });
    });
    const closed = page.waitForResponse((answer) => answer.status() === 204);
    await page.goto(`${service.url}/sandbox/mailbox`);
    await closed;

    await page.getByRole('link', { name: 'Look again' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.getByRole('link', { name: 'Look again' }).count()).to.equal(1);
  });

  it('shows a plain link without JavaScript', async () => {
    const plain = await openWindow(browser, service.url, { javaScriptEnabled: false });
    await plain.page.goto(`${service.url}/sandbox/mailbox`);
    await askFor('ada.lovelace@example.org');

    await plain.page.getByRole('link', { name: 'Look again' }).click();

    expect(await plain.page.textContent('main')).to.include('To ada.lovelace@example.org');
    await plain.context.close();
  });
});
