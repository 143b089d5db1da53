/** Checks that the licence of every dependency permits use and redistribution. `npm run licences`. */
import { readFileSync } from 'node:fs';
import { bundledPackages } from './bundle/bundled-packages.js';

/** Permissive licences. */
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

/** Packages without a licence in their manifest, but with the text of the MIT licence in their LICENSE file. */
const READ_BY_US: ReadonlyMap<string, string> = new Map([
  ['busboy', 'MIT'],
  ['streamsearch', 'MIT'],
]);

interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

/** @returns the dependencies of the package that have other licences, as `name: licence` */
export function foreignLicences(
  lock: { readonly packages: Readonly<Record<string, LockedPackage>> },
  bundled: ReadonlySet<string> = new Set(),
): string[] {
  return Object.entries(lock.packages)
    .map(([path, each]) => ({ path, name: path.replace(/^.*node_modules\//, ''), ...each }))
    .filter(({ path, link }) => path !== '' && link !== true)
    .filter(({ name, version = '', dev }) => dev !== true || bundled.has(`${name}@${version}`))
    .map(({ name, license }) => {
      return { name, licence: license ?? READ_BY_US.get(name) ?? 'none' };
    })
    .filter(({ licence }) => !isAllowed(licence))
    .map(({ name, licence }) => `${name}: ${licence}`);
}

/**
 * Evaluates a licence expression of SPDX: `(MIT OR GPL-2.0)` allows a choice, `MIT AND ISC` requires both, `AND` binds
 * tighter than `OR`. What is no such expression is not allowed.
 */
function isAllowed(expression: string): boolean {
  const tokens: readonly string[] = expression.match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const skip = (token: string): boolean => {
    const isNext = tokens[at] === token;
    if (isNext) at += 1;
    return isNext;
  };
  const choice = (): boolean => {
    let allowed = all();
    while (skip('OR')) allowed = all() || allowed;
    return allowed;
  };
  const all = (): boolean => {
    let allowed = one();
    while (skip('AND')) allowed = one() && allowed;
    return allowed;
  };
  const one = (): boolean => {
    if (skip('(')) {
      const allowed = choice();
      return skip(')') && allowed;
    }
    const licence = tokens[at] ?? '';
    at += 1;
    return ALLOWED.has(licence);
  };
  const allowed = choice();
  return allowed && at === tokens.length;
}

if (import.meta.filename === process.argv[1]) {
  const lock = JSON.parse(
    readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'),
  ) as Parameters<typeof foreignLicences>[0];
  const foreign = foreignLicences(lock, bundledPackages());
  for (const line of foreign) process.stderr.write(`${line}\n`);
  if (foreign.length > 0) process.exitCode = 1;
  else process.stdout.write('Every dependency has a licence that allows its use.\n');
}
