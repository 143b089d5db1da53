import type { Settings } from './settings.js';

/** Returns the options of the REDCap client for the server and the commands: timeouts, retries, queue and cache. */
export function clientOptionsOf({ values, capture }: Settings) {
  return {
    importEncoding: values.CAPTURE_IMPORT_ENCODING,
    timeouts: {
      connectMs: values.CAPTURE_CONNECT_TIMEOUT_MS,
      firstByteMs: values.CAPTURE_FIRST_BYTE_TIMEOUT_MS,
      idleMs: values.CAPTURE_IDLE_TIMEOUT_MS,
    },
    resilience: {
      totalMs: values.CAPTURE_TOTAL_TIMEOUT_MS,
      concurrency: values.CAPTURE_MAX_CONCURRENT,
      queueLimit: values.CAPTURE_QUEUE_LIMIT,
      queueWaitMs: values.CAPTURE_QUEUE_TIMEOUT_MS,
      // The sandbox does not ban callers.
      callsPerMinute: values.CAPTURE_CALLS_PER_MINUTE ?? (capture === undefined ? 0 : 500),
      maxRetries: values.CAPTURE_RETRIES,
      breakerFailures: values.CAPTURE_BREAKER_FAILURES,
      breakerOpenMs: values.CAPTURE_BREAKER_RESET_MS,
      cacheMs: values.CAPTURE_CACHE_SECONDS * 1000,
    },
  };
}
