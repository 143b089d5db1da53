import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { PACKAGE_VERSION } from './package-version.js';

/** What made a document. */
export interface Program {
  readonly name: string;
  readonly version: string;
  /** The SHA-256 of its code, as `sha256:` and hexadecimal digits. */
  readonly digest: string;
}

let program: Promise<Program> | undefined;

/**
 * Returns this program. Its code, the bundle or all modules where it runs from single files, is read once: what runs does
 * not change with the files.
 */
export function thisProgram(): Promise<Program> {
  return (program ??= digestOfCode().then((digest) => ({
    name: 'crf-service',
    version: PACKAGE_VERSION,
    digest,
  })));
}

async function digestOfCode(): Promise<string> {
  const here = import.meta.dirname;
  // In the bundle, this module is beside all others.
  const folder = basename(here) === 'services' ? dirname(here) : here;
  const names = (await readdir(folder, { recursive: true })).filter((name) => /\.[jt]sx?$/.test(name)).sort();
  const hash = createHash('sha256');
  for (const name of names) hash.update(`${name}\n`).update(await readFile(join(folder, name)));
  return `sha256:${hash.digest('hex')}`;
}
