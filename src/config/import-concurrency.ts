import type { Settings } from './settings.js';

/** Calls that an import may make at once: at least half of all turns are left to whoever else asks REDCap. */
export function importConcurrencyOf(
  values: Pick<Settings['values'], 'IMPORT_MAX_CONCURRENT' | 'CAPTURE_MAX_CONCURRENT'>,
): number {
  return Math.max(1, Math.min(values.IMPORT_MAX_CONCURRENT, Math.floor(values.CAPTURE_MAX_CONCURRENT / 2)));
}
