import { expect } from 'chai';
import { createServer, type Server } from 'node:http';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import type { RunningServer } from '../../src/server/start-server.js';
import { startBrowser } from '../support/browser.js';
import { describeWith } from '../support/needed-programs.js';
import { openWindow } from '../support/every-page.js';
import { closeServer, listen } from '../support/start-service.js';
import { startWholeService } from '../support/start-whole-service.js';
import { watchPage } from '../support/watch-page.js';

describeWith(['chromium'], 'Signing in, in a browser', function () {
  this.timeout(60_000);
  let browser: Browser;
  let service: RunningServer;
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];

  before(async () => {
    browser = await startBrowser();
  });
  after(() => browser.close());

  beforeEach(async () => {
    service = await startWholeService();
    ({ context, page } = await openWindow(browser, service.url));
    complaints = watchPage(page);
  });
  afterEach(() => Promise.allSettled([context.close(), service.stop()]));

  async function askForLink(address: string): Promise<void> {
    await page.goto(`${service.url}/login`);
    await page.getByLabel('Email address').fill(address);
    await page.getByRole('button', { name: 'Send me a link' }).click();
    await page.waitForURL('**/login/sent');
  }

  /** The link in the newest mail. The header of the page has a "Sign in" link too. */
  async function linkOfNewestMail(): Promise<Locator> {
    await page.goto(`${service.url}/sandbox/mailbox`);
    return page.locator('.mail').first().getByRole('link', { name: 'Sign in' });
  }

  async function openLink(): Promise<void> {
    await (await linkOfNewestMail()).click();
    await page.waitForURL('**/dashboard');
  }

  async function sessionCookie(): Promise<string> {
    const cookie = (await context.cookies()).find(({ name }) => name === 'crf_session');
    return `crf_session=${cookie?.value ?? ''}`;
  }

  async function statusOfMe(cookie: string): Promise<number> {
    return (await fetch(`${service.url}/api/v1/auth/me`, { headers: { cookie } })).status;
  }

  it('leads from the address via the mail to the dashboard, and out again', async () => {
    await askForLink('grace.hopper@example.org');
    expect(await page.textContent('h1')).to.equal('Check your mail');

    await openLink();
    expect(await page.textContent('main'))
      .to.include('grace.hopper@example.org')
      .and.to.include('Cohort 2026');
    const cookie = await sessionCookie();
    expect(await statusOfMe(cookie)).to.equal(200);

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/signed-out');
    expect(await statusOfMe(cookie)).to.equal(401);
    await page.goto(`${service.url}/dashboard`);
    expect(new URL(page.url()).pathname).to.equal('/login');
    expect(complaints).to.deep.equal([]);
  });

  it('LANG-01: is still in the language that was chosen after the sign-out', async () => {
    await askForLink('ada.lovelace@example.org');
    await openLink();
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await page.getByRole('button', { name: 'Abmelden' }).click();
    await page.waitForURL('**/signed-out');

    expect(await page.getAttribute('html', 'lang')).to.equal('de');
    await page.goto(`${service.url}/help`);
    expect(await page.getAttribute('html', 'lang')).to.equal('de');
    await page.getByRole('button', { name: 'English' }).click();
  });

  it('ends a session from the list, so that its cookie is refused', async () => {
    await askForLink('ada.lovelace@example.org');
    await openLink();
    const cookie = await sessionCookie();

    await page.goto(`${service.url}/dashboard/sessions`);
    await page.getByRole('button', { name: 'End this session' }).click();
    await page.waitForURL('**/signed-out');

    expect(await statusOfMe(cookie)).to.equal(401);
  });

  it('COOK-02: is signed in after a click on the link from a page of another site', async () => {
    await askForLink('ada.lovelace@example.org');
    const link = await (await linkOfNewestMail()).getAttribute('href');
    // `localhost` and `127.0.0.1` are different sites, as a webmail page would be.
    const webmail: Server = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end(`<a href="${(link ?? '').replaceAll('&', '&amp;')}">Sign in</a>`);
    });
    const { port } = new URL(await listen(webmail));

    try {
      await page.goto(`http://localhost:${port}/`);
      await page.getByRole('link', { name: 'Sign in' }).click();
      await page.waitForURL('**/dashboard');

      expect(await page.textContent('main')).to.include('ada.lovelace@example.org');
    } finally {
      // An open server would keep the test process alive.
      await closeServer(webmail);
    }
  });

  it('deletes the account after a confirmation, so that the cookie is refused and the address is new again', async () => {
    await askForLink('grace.hopper@example.org');
    await openLink();
    const cookie = await sessionCookie();

    await page.getByRole('link', { name: 'Account', exact: true }).click();
    await page.getByRole('link', { name: 'Delete my account' }).click();
    await page.waitForURL('**/dashboard/delete-account');
    expect(await page.textContent('main')).to.include('cannot be undone');
    await page.getByRole('button', { name: 'Delete my account' }).click();
    await page.waitForURL('**/signed-out');

    expect(await statusOfMe(cookie)).to.equal(401);
    expect(complaints).to.deep.equal([]);
  });

  it('LOGIN-11: asks before a link replaces the session of another account', async () => {
    await askForLink('ada.lovelace@example.org');
    await openLink();
    const cookie = await sessionCookie();
    await askForLink('grace.hopper@example.org');

    await (await linkOfNewestMail()).click();
    await page.waitForURL('**/login?**');

    expect(await page.textContent('main')).to.include('g•••@example.org');
    expect(await sessionCookie()).to.equal(cookie);
    expect(await statusOfMe(cookie)).to.equal(200);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/dashboard');
    expect(await page.textContent('main')).to.include('grace.hopper@example.org');
    expect(await statusOfMe(cookie)).to.equal(401);
    expect(complaints).to.deep.equal([]);
  });

  it('shows the form again with a sentence and the address if the domain is not allowed', async () => {
    await page.goto(`${service.url}/login`);
    await page.getByLabel('Email address').fill('mallory@example.com');
    await page.getByRole('button', { name: 'Send me a link' }).click();
    await page.getByRole('alert').waitFor();

    expect(await page.getByRole('alert').textContent()).to.include('domain');
    expect(await page.getByLabel('Email address').inputValue()).to.equal('mallory@example.com');
    expect(page.url()).to.not.include('mallory');
  });

  it('shows one message for a used link, and offers a new one', async () => {
    await askForLink('ada.lovelace@example.org');
    const link = await (await linkOfNewestMail()).getAttribute('href');
    await page.goto(link ?? '');

    const answer = await page.goto(link ?? '');

    expect(answer?.status()).to.equal(401);
    expect(await page.textContent('h1')).to.equal('This link cannot be used');
  });
});
