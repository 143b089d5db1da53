import chromiumPackage from '@sparticuz/chromium';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { chromium, type Browser } from 'playwright-core';
import { lock } from 'proper-lockfile';

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
    executablePath: installed ?? (await extractChromium()),
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

/** The package extracts to one place for the whole machine, and takes half a file that another process writes for a whole one. */
async function extractChromium(): Promise<string> {
  const release = await lock(tmpdir(), {
    lockfilePath: `${tmpdir()}/crf-test-chromium.lock`,
    retries: { forever: true, minTimeout: 100, maxTimeout: 1000 },
  });
  try {
    return await chromiumPackage.executablePath();
  } finally {
    await release();
  }
}
