import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Field } from '../../dictionary/field.js';
import type { ManifestDigests } from '../../policy/deidentify/manifest.js';
import { lockPathOf } from '../../policy/load-policy-files.js';

/** SHA-256 of all that decides what a caller sees of a dictionary. @param path the policy file */
export async function digestsOf(path: string, fields: readonly Field[]): Promise<ManifestDigests> {
  return {
    policy: digestOf([await readFile(path)]),
    lock: digestOf([await readFile(lockPathOf(path))]),
    dictionary: digestOf([JSON.stringify(fields)]),
    program: await programDigest(),
  };
}

function digestOf(parts: Iterable<string | Buffer>): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return `sha256:${hash.digest('hex')}`;
}

/** The code of this program: that of the bundle, or of the sources. */
async function programDigest(): Promise<string> {
  const sources = join(dirname(createRequire(import.meta.url).resolve('crf-service/package.json')), 'src');
  const folder = import.meta.dirname.startsWith(sources) ? sources : import.meta.dirname;
  const names = (await readdir(folder, { recursive: true })).filter((name) => /\.[jt]sx?$/.test(name)).sort();
  return digestOf(
    await Promise.all(
      names.map(async (name) =>
        Buffer.concat([Buffer.from(`${name}\n`), await readFile(join(folder, name))]),
      ),
    ),
  );
}
