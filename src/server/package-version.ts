import { createRequire } from 'node:module';

/** @returns the version of this package */
export function packageVersion(): string {
  const readJson = createRequire(import.meta.url) as (name: string) => { readonly version: string };
  return readJson('crf-service/package.json').version;
}
