import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);
let isChecked = false;

/**
 * Returns the path of a built file, to test what is shipped.
 *
 * @param path relative to `build/dist`
 * @throws {Error} the sources have changed since the build, so that a test would run outdated code
 */
export function builtFile(path: string): string {
  if (!isChecked) {
    const { status } = spawnSync(process.execPath, [fileURLToPath(new URL('scripts/is-built.mjs', root))]);
    if (status !== 0) throw new Error('The sources have changed since the build. Run: npm run build');
    isChecked = true;
  }
  return fileURLToPath(new URL(`build/dist/${path}`, root));
}
