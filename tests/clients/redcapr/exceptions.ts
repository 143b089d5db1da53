import type { Exception } from '../outcome.js';

/** Tests of REDCapR's suite that cannot pass against a sandbox. */
export const REDCAPR_EXCEPTIONS: readonly Exception[] = [];
