import type { Settings } from './settings.js';

/** Returns the limits on calls to the API. By default, an open sandbox has none. */
export function callLimitsOf({ values, capture, projects, access }: Settings) {
  const isTrial = capture === undefined && projects === undefined && access.isOpen;
  return {
    callsPerMinute: values.API_CALLS_PER_MINUTE ?? (isTrial ? 0 : 600),
    failedAuthPerMinute: values.API_FAILED_AUTH_PER_MINUTE ?? (isTrial ? 0 : 60),
  };
}
