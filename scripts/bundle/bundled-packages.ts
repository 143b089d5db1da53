import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FILES = ['bin', 'vendor'].map((folder) =>
  join(import.meta.dirname, '../../build/dist', folder, 'THIRD-PARTY-LICENSES.txt'),
);

/**
 * The packages whose code is in the bundles of the last build, as `name@version`. They are published with this package, even
 * where they are development dependencies.
 *
 * @throws {Error} nothing has been built
 */
export function bundledPackages(): ReadonlySet<string> {
  if (!FILES.every((file) => existsSync(file))) throw new Error('Run npm run build first.');
  const texts = FILES.map((file) => readFileSync(file, 'utf8'));
  const heads = texts.flatMap((text) => [...text.matchAll(/(?:^|\n-{80}\n\n)(\S+) (\S+)\n/g)]);
  return new Set(heads.map(([, name, version]) => `${name}@${version}`));
}
