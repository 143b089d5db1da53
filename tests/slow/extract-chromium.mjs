// Extracts the Chromium of @sparticuz/chromium and links it beside the other tools, unless the machine has one:
// `npm run slow:install` runs it, so that no two tests ever extract it at the same time.
import chromium from '@sparticuz/chromium';
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const link = join(import.meta.dirname, 'node_modules/.bin/chromium');
rmSync(link, { force: true });
symlinkSync(await chromium.executablePath(), link);
