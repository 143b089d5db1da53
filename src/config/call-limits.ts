import type { Settings } from './settings.js';

/** How often the API may be called. Whoever tries the sandbox on their own machine is not counted, unless they say so. */
export function callLimitsOf({ values, capture, access }: Settings) {
  const isTrial = capture === undefined && access.isOpen;
  return {
    callsPerMinute: values.API_CALLS_PER_MINUTE ?? (isTrial ? 0 : 600),
    failedAuthPerMinute: values.API_FAILED_AUTH_PER_MINUTE ?? (isTrial ? 0 : 60),
  };
}
