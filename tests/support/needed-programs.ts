import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Suite } from 'mocha';

/** Programs of the system that some suites talk to; any of the names will do. */
const PROGRAMS = {
  redis: ['redis-server', 'valkey-server'],
  nginx: ['nginx'],
  openssl: ['openssl'],
  promtool: ['promtool'],
} as const;

export type Program = keyof typeof PROGRAMS;

// A server is often kept out of the reach of users who are not root.
const FOLDERS = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];

/** @returns where a program is; `undefined` when it is not installed */
export function pathOf(program: Program): string | undefined {
  const paths = PROGRAMS[program].flatMap((name) => FOLDERS.map((folder) => join(folder, name)));
  return paths.find((path) => existsSync(path));
}

/** A suite that needs programs: without them it is left out, which the run says in one line (`CI=true` makes it fail). */
export function describeWith(programs: readonly Program[], title: string, body: (this: Suite) => void): void {
  if (programs.every((program) => pathOf(program) !== undefined)) describe(title, body);
  else describe.skip(title, body);
}

/** Run by Mocha, once, before everything else. */
export function mochaGlobalSetup(): void {
  const missing = (Object.keys(PROGRAMS) as Program[]).filter((program) => pathOf(program) === undefined);
  const leftOut = missing.length === 0 ? [] : suitesThatNeed(missing);
  if (leftOut.length === 0) return;
  const sentence = `Left out, because ${missing.map((program) => PROGRAMS[program][0]).join(' and ')} cannot be found: ${leftOut.join(', ')}.`;
  if (process.env.CI === 'true') throw new Error(sentence);
  console.warn(sentence);
}

function suitesThatNeed(missing: readonly Program[]): string[] {
  const tests = fileURLToPath(new URL('..', import.meta.url));
  const files = readdirSync(tests, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => {
      const [, named = ''] =
        /describeWith\(\s*\[([^\]]*)\]/.exec(readFileSync(join(tests, file), 'utf8')) ?? [];
      return missing.some((program) => named.includes(`'${program}'`));
    })
    .map((file) => `tests/${file}`);
}
