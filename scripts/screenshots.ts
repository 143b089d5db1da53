/** Takes the screenshot for the README from the running service. `npm run screenshots`. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { startBrowser } from '../tests/support/browser.js';
import { openWindow, signedInClient } from '../tests/support/every-page.js';
import { startWholeService } from '../tests/support/start-whole-service.js';

/** Maximum size, to keep the README light. */
const MOST_BYTES = 200_000;

const service = await startWholeService({
  STUDY_START: '2026-01-05',
  STUDY_END: '2026-12-31',
  STUDY_TARGET: '320',
});
const browser = await startBrowser();
try {
  const client = await signedInClient(service.url);
  const { page } = await openWindow(browser, service.url, { width: 1200 }, client);
  await page.goto(`${service.url}/dashboard?field=age`);
  const path = join(import.meta.dirname, '../docs/dashboard.png');
  await page.screenshot({ path });
  const { size } = statSync(path);
  if (size > MOST_BYTES) throw new Error(`The screenshot has ${size} bytes; ${MOST_BYTES} are enough.`);
  process.stdout.write(`docs/dashboard.png, ${size} bytes\n`);
} finally {
  await browser.close();
  await service.stop();
}
