import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Suite } from 'mocha';
import { filesBelow } from './files-below.js';

/** System programs that some suites need. Any one of the names is sufficient. */
const PROGRAMS = {
  redis: ['redis-server', 'valkey-server'],
  nginx: ['nginx'],
  openssl: ['openssl'],
  postgres: ['postgres'],
  promtool: ['promtool'],
  chromium: ['chromium', 'chromium-browser', 'google-chrome'],
  caddy: ['caddy'],
  logrotate: ['logrotate'],
  systemd: ['systemd-analyze'],
  R: ['Rscript'],
  pspp: ['pspp'],
  python: ['python3'],
} as const;

export type Program = keyof typeof PROGRAMS;

/** Programs that read a file of `deploy/`, or copies. Not every machine has them, so nobody requires them. */
const OPTIONAL: ReadonlySet<Program> = new Set<Program>([
  'caddy',
  'logrotate',
  'systemd',
  'R',
  'pspp',
  'python',
]);

const POSTGRES = '/usr/lib/postgresql';

// The PATH of users without root rights often lacks the folders for servers; Debian has each PostgreSQL in one of its own.
const FOLDERS = [
  ...(process.env.PATH ?? '').split(delimiter),
  '/usr/sbin',
  '/usr/local/sbin',
  fileURLToPath(new URL('../slow/node_modules/.bin', import.meta.url)),
  ...(existsSync(POSTGRES) ? readdirSync(POSTGRES).map((version) => join(POSTGRES, version, 'bin')) : []),
];

/** @returns the path of a program; `undefined` if it is not installed */
export function pathOf(program: Program): string | undefined {
  const paths = PROGRAMS[program].flatMap((name) => FOLDERS.map((folder) => join(folder, name)));
  return paths.find((path) => existsSync(path));
}

/**
 * Declares a suite that needs programs. It is skipped without them, which is said once, at the end. With
 * `CRF_TEST_NEEDS=all`, as in `.ci/run`, a missing program is an error, except for the optional ones.
 */
export function describeWith(programs: readonly Program[], title: string, body: (this: Suite) => void): void {
  if (programs.every((program) => pathOf(program) !== undefined)) describe(title, body);
  else describe.skip(title, body);
}

const missing = (Object.keys(PROGRAMS) as Program[]).filter((program) => pathOf(program) === undefined);

/** Called once by Mocha, before all suites. */
export function mochaGlobalSetup(): void {
  const isError = missing.some((program) => !OPTIONAL.has(program));
  if (process.env.CRF_TEST_NEEDS === 'all' && isError) throw new Error(leftOut());
}

/** Called once by Mocha, after all suites. */
export function mochaGlobalTeardown(): void {
  const sentence = leftOut();
  if (sentence !== undefined) console.warn(sentence);
}

/** Returns which suites were left out because of which programs. */
function leftOut(): string | undefined {
  const suites = missing.length === 0 ? [] : suitesThatNeed(missing);
  if (suites.length === 0) return undefined;
  return `Left out, because ${missing.map((program) => PROGRAMS[program][0]).join(' and ')} cannot be found: ${suites.join(', ')}.`;
}

function suitesThatNeed(programs: readonly Program[]): string[] {
  const tests = fileURLToPath(new URL('..', import.meta.url));
  return filesBelow(tests)
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => {
      const text = readFileSync(join(tests, file), 'utf8');
      const needed = [...text.matchAll(/describeWith\(\s*\[([^\]]*)\]/g)].map(([, named]) => named).join();
      return programs.some((program) => needed.includes(`'${program}'`));
    })
    .map((file) => `tests/${file}`);
}
