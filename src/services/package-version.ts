import { createRequire } from 'node:module';

const readJson = createRequire(import.meta.url) as (name: string) => { readonly version: string };

/** The version of this package, as in its `package.json`. */
export const PACKAGE_VERSION: string = readJson('crf-service/package.json').version;
