/**
 * Checks whether the runtime knows a time zone of this name, such as `Europe/Paris`. An offset is not accepted, because
 * it has no daylight saving time.
 */
export function isTimeZone(name: unknown): name is string {
  if (typeof name !== 'string' || /^[+-]|^$/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** The rule, worded as the end of a sentence. */
export const TIME_ZONE_RULE = 'must be the name of a time zone, as in Europe/Paris or UTC';
