/** Checks that every dependency of the package may be used and passed on. `npm run licences`. */
import { readFileSync } from 'node:fs';

/** Licences that ask for nothing but their own text. */
const ALLOWED: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
  'Unlicense',
]);

/** Their manifest names no licence, their LICENSE file has the text of MIT. */
const READ_BY_US: ReadonlyMap<string, string> = new Map([
  ['busboy', 'MIT'],
  ['streamsearch', 'MIT'],
]);

interface LockedPackage {
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

/** @returns what is installed with the package and has another licence, as `name: licence` */
export function foreignLicences(lock: {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}): string[] {
  return Object.entries(lock.packages)
    .filter(([path, { dev, link }]) => path !== '' && dev !== true && link !== true)
    .map(([path, { license }]) => {
      const name = path.replace(/^.*node_modules\//, '');
      return { name, licence: license ?? READ_BY_US.get(name) ?? 'none' };
    })
    .filter(({ licence }) => !isAllowed(licence))
    .map(({ name, licence }) => `${name}: ${licence}`);
}

/** `(MIT OR GPL-2.0)` lets one choose; `MIT AND ISC` asks for both. */
function isAllowed(expression: string): boolean {
  const text = expression.replace(/[()]/g, '');
  return text
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((licence) => ALLOWED.has(licence.trim())));
}

if (import.meta.filename === process.argv[1]) {
  const lock = JSON.parse(
    readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'),
  ) as Parameters<typeof foreignLicences>[0];
  const foreign = foreignLicences(lock);
  for (const line of foreign) process.stderr.write(`${line}\n`);
  if (foreign.length > 0) process.exitCode = 1;
  else process.stdout.write('Every dependency has a licence that allows its use.\n');
}
