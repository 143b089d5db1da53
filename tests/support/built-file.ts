import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);
let isChecked = false;

/**
 * A file of the build, to run what is shipped.
 *
 * @param path below `build/dist`
 * @throws {Error} the sources have changed since the build: a test would run what is no longer there
 */
export function builtFile(path: string): string {
  if (!isChecked) {
    const { status } = spawnSync(process.execPath, [fileURLToPath(new URL('scripts/is-built.mjs', root))]);
    if (status !== 0) throw new Error('The sources have changed since the build. Run: npm run build');
    isChecked = true;
  }
  return fileURLToPath(new URL(`build/dist/${path}`, root));
}
