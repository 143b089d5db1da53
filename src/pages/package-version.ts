import { createRequire } from 'node:module';

const readJson = createRequire(import.meta.url);

/** The version of this package, as its `package.json` has it. */
export const PACKAGE_VERSION: string = (readJson('crf-service/package.json') as { version: string }).version;
