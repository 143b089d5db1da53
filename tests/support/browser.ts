import chromiumPackage from '@sparticuz/chromium';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { chromium, type Browser } from 'playwright-core';
import { lock } from 'proper-lockfile';

/** Where Linux distributions install Chromium. */
const INSTALLED = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/**
 * Starts a real Chromium: the one at `CHROMIUM_PATH`, an installed one, or the one from `npm ci`. Its background
 * traffic is disabled, so that tests connect only to this machine.
 */
export async function startBrowser(): Promise<Browser> {
  const installed = [process.env.CHROMIUM_PATH ?? '', ...INSTALLED].find(
    (path) => path !== '' && existsSync(path),
  );
  return chromium.launch({
    executablePath: installed ?? (await extractChromium()),
    // The package's default arguments are for cloud functions: a single process without web security.
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

/**
 * Extracts Chromium under a lock. The package uses one path per machine, and would run a file that another process is
 * still writing.
 */
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
