import type { Exception } from '../outcome.js';

/** Tests of PyCap's suite that cannot pass against a sandbox. */
export const PYCAP_EXCEPTIONS: readonly Exception[] = [];
