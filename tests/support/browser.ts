import chromiumPackage from '@sparticuz/chromium';
import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** Where a distribution puts Chromium. */
const INSTALLED = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/**
 * Starts a real Chromium: `CHROMIUM_PATH`, or one found on the machine, or the one that `npm ci` has brought.
 * Its background traffic is off: a test talks to this machine alone.
 */
export async function startBrowser(): Promise<Browser> {
  const installed = [process.env.CHROMIUM_PATH ?? '', ...INSTALLED].find(
    (path) => path !== '' && existsSync(path),
  );
  return chromium.launch({
    executablePath: installed ?? (await chromiumPackage.executablePath()),
    // The package's own arguments are for cloud functions: one process, and web security switched off.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
    headless: true,
  });
}
