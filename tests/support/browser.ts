import { chromium, type Browser } from 'playwright-core';
import { pathOf } from './needed-programs.js';

/**
 * Starts a real Chromium: the one at `CHROMIUM_PATH`, an installed one, or the one of `npm run slow:install`. Its
 * background traffic is disabled, so that tests connect only to this machine.
 */
export async function startBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? pathOf('chromium');
  if (executablePath === undefined) throw new Error('There is no Chromium. Run: npm run slow:install');
  return chromium.launch({
    executablePath,
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
