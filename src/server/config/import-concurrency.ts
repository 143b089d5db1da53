import type { Settings } from './settings.js';

/** Returns the number of concurrent calls of an import. It leaves at least half of the client's calls to others. */
export function importConcurrencyOf(
  values: Pick<Settings['values'], 'IMPORT_MAX_CONCURRENT' | 'CAPTURE_MAX_CONCURRENT'>,
): number {
  return Math.max(1, Math.min(values.IMPORT_MAX_CONCURRENT, Math.floor(values.CAPTURE_MAX_CONCURRENT / 2)));
}
