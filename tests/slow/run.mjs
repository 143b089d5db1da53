// Runs a tool that is installed in tests/slow, as `npx` does with those of the root: `node tests/slow/run.mjs knip`.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const [tool, ...args] = process.argv.slice(2);
const file = join(import.meta.dirname, 'node_modules/.bin', tool ?? '');
if (tool === undefined || !existsSync(file)) {
  console.error(`${tool ?? 'A tool'} is not installed. Run: npm run slow:install`);
  process.exit(1);
}
process.exit(spawnSync(file, args, { stdio: 'inherit' }).status ?? 1);
