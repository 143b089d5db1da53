import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { RunningServer } from '../../src/server/start-server.js';
import { startBrowser } from '../support/browser.js';
import { describeWith } from '../support/needed-programs.js';
import { openWindow, signedInClient } from '../support/every-page.js';
import { startWholeService } from '../support/start-whole-service.js';
import { watchPage } from '../support/watch-page.js';

const GOOD = {
  name: 'good.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from('record_id,age\r\nCOHORT-2026-PARTICIPANT-0901,40\r\n'),
};

describeWith(['chromium'], 'The guided tour, in a browser', function () {
  this.timeout(60_000);
  let browser: Browser;
  let service: RunningServer;
  let context: BrowserContext;
  let page: Page;

  before(async () => {
    [browser, service] = await Promise.all([startBrowser(), startWholeService()]);
  });
  after(async () => {
    await browser.close();
    await service.stop();
  });
  afterEach(() => context.close());

  for (const javaScriptEnabled of [true, false]) {
    it(`leads from the start page to a report, ${javaScriptEnabled ? 'by mouse' : 'without JavaScript'}`, async () => {
      ({ context, page } = await openWindow(browser, service.url, { javaScriptEnabled }));
      const complaints = watchPage(page);
      await page.goto(service.url);

      await page.locator('.steps').getByRole('link', { name: 'Sign in' }).click();
      await page.getByLabel('Email address').fill('ada.lovelace@example.org');
      await page.getByRole('button', { name: 'Send me a link' }).click();
      await page.getByRole('link', { name: 'Open the mailbox of the sandbox' }).click();
      await page.locator('.mail').first().getByRole('link', { name: 'Sign in' }).click();
      await page.waitForURL('**/dashboard');
      expect(await page.textContent('main'))
        .to.include('Cohort 2026')
        .and.to.include('Recruitment');

      await page.getByRole('link', { name: 'CRF Service', exact: true }).click();
      const steps = page.locator('.steps');
      const exported = await saved(page, () => steps.getByRole('link', { name: 'Try an export' }).click());
      expect(exported)
        .to.match(/^record_id,.*demographics_complete/)
        .and.match(/PARTICIPANT-0009/);
      const example = await saved(page, () => steps.getByRole('link', { name: 'this one' }).click());
      await steps.getByRole('link', { name: 'Import a file with mistakes' }).click();
      await page.getByLabel('A CSV file').setInputFiles({ ...GOOD, buffer: Buffer.from(example) });
      await page.getByRole('button', { name: 'Check the file' }).click();
      await page.getByRole('alert').waitFor();
      expect(await page.textContent('main table'))
        .to.include('age')
        .and.to.include('must be a whole number');

      await page.getByLabel('A CSV file').setInputFiles(GOOD);
      await page.getByRole('button', { name: 'Check the file' }).click();
      await page.getByRole('status').waitFor();
      expect(await page.textContent('main')).to.include('All is well: 1 record could be stored');
      // Chromium logs the status of a page that reports mistakes.
      expect(complaints.filter((text) => !text.includes('422'))).to.deep.equal([]);
    });
  }

  it('can be followed with the keyboard alone', async () => {
    ({ context, page } = await openWindow(browser, service.url));
    await page.goto(service.url);
    const tabTo = (name: string, key?: 'Tab' | 'Shift+Tab') => moveTo(page, name, key);

    await tabTo('Skip to the content');
    await page.keyboard.press('Enter');
    await tabTo('Sign in');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/login');
    await page.keyboard.type('ada.lovelace@example.org');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/login/sent');
    await tabTo('Open the mailbox of the sandbox');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/sandbox/mailbox');
    await tabTo('Skip to the content');
    await page.keyboard.press('Enter');
    await tabTo('Sign in');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dashboard');

    await tabTo('The figures as a table');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('table').first().isVisible()).to.equal(true);

    await page.goto(service.url);
    await tabTo('Try an export');
    expect(await saved(page, () => page.keyboard.press('Enter'))).to.match(/^record_id,/);
    await tabTo('this one');
    const example = await saved(page, () => page.keyboard.press('Enter'));
    await tabTo('Import a file with mistakes', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/try-file');
    await checkByKeyboard(page, { ...GOOD, buffer: Buffer.from(example) });
    await page.getByRole('alert').waitFor();
    // A focused table that is wider than the window scrolls with the arrow keys.
    await tabTo('What to correct');
    expect(await page.textContent('main table')).to.include('must be a whole number');

    await checkByKeyboard(page, GOOD);
    await page.getByRole('status').waitFor();
    expect(await page.textContent('main')).to.include('All is well');
  });

  it('stores a file that was checked, without choosing it again', async () => {
    const client = await signedInClient(service.url);
    ({ context, page } = await openWindow(browser, service.url, {}, client));
    await page.goto(`${service.url}/try-file`);
    await page.getByLabel('A CSV file').setInputFiles(GOOD);
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByText('All is well: 1 record could be stored').waitFor();
    expect(await page.getByText('choose it again').count()).to.equal(0);
    await page.getByRole('button', { name: 'Store it in REDCap' }).click();

    await page.getByText('Stored 1 record in REDCap').waitFor();
  });

  it('checks a file dropped on the page', async () => {
    const client = await signedInClient(service.url);
    ({ context, page } = await openWindow(browser, service.url, {}, client));
    const complaints = watchPage(page);
    await page.goto(`${service.url}/try-file`);
    const dataTransfer = await page.evaluateHandle(
      `(() => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([${JSON.stringify(String(GOOD.buffer))}], 'good.csv', { type: 'text/csv' }));
        return transfer;
      })()`,
    );

    await page.dispatchEvent('#drop', 'dragover', { dataTransfer });
    expect(await page.getAttribute('#drop', 'class')).to.include('over');
    await page.dispatchEvent('#drop', 'drop', { dataTransfer });
    await page.getByRole('status').waitFor();

    expect(await page.textContent('main')).to.include('All is well: 1 record could be stored');
    expect(complaints).to.deep.equal([]);
  });

  it('saves a plot as SVG, PNG and CSV', async () => {
    const client = await signedInClient(service.url);
    ({ context, page } = await openWindow(browser, service.url, {}, client));
    const complaints = watchPage(page);
    await page.goto(`${service.url}/dashboard`);
    const card = page.getByRole('region', { name: 'Completeness', exact: true });

    const files: Record<string, Buffer> = {};
    for (const [role, name] of [
      ['link', 'SVG'],
      ['link', 'CSV'],
      ['button', 'PNG'],
    ] as const) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        card.getByRole(role, { name }).click(),
      ]);
      expect(download.suggestedFilename()).to.match(
        new RegExp(`^cohort-2026-synthetic-completeness-\\d{4}-\\d\\d-\\d\\d\\.${name.toLowerCase()}$`),
      );
      files[name] = await readFile(await download.path());
    }

    expect(String(files['SVG']))
      .to.match(/^<svg [^>]*width="\d+"/)
      .and.to.include('<style>');
    expect(String(files['CSV'])).to.include(
      'Form,Records,Complete,Unverified,Incomplete,Not begun\r\nEnrollment,250,250,0,0,0',
    );
    expect(files['PNG']?.subarray(1, 4).toString()).to.equal('PNG');
    expect(complaints).to.deep.equal([]);
  });

  it('shows the distribution of the selected field', async () => {
    const client = await signedInClient(service.url);
    ({ context, page } = await openWindow(browser, service.url, {}, client));
    await page.goto(`${service.url}/dashboard`);

    await page.getByLabel('Distribution of').selectOption('age');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.waitForURL('**/dashboard?field=age**');

    expect(await page.textContent('main'))
      .to.include('Age at consent')
      .and.to.match(/\d+ values, 11 missing\. Median 58/);
  });
});

/** Presses a key until the focused element starts with the given text or has it as its id. */
async function moveTo(page: Page, name: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press(key);
    const focused = await page.evaluate<string>(
      'document.activeElement.textContent.trim() || document.activeElement.id',
    );
    if (focused.startsWith(name)) return;
  }
  throw new Error(`The focus does not come to ${name}.`);
}

/** Chooses a file in the system's file dialog and submits the form. */
async function checkByKeyboard(page: Page, file: typeof GOOD): Promise<void> {
  await moveTo(page, 'file');
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Space')]);
  await chooser.setFiles(file);
  await moveTo(page, 'Check the file');
  await page.keyboard.press('Enter');
}

/** @returns the text of the file that an action makes the browser save */
async function saved(page: Page, action: () => Promise<void>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), action()]);
  return readFile(await download.path(), 'utf8');
}
