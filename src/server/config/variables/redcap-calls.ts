import type { VariableTopic } from './environment-variable.js';

/** Time limits, concurrency, retries and caching of the calls to REDCap. */
export const REDCAP_CALLS: VariableTopic = {
  topic: 'Calls to REDCap',
  variables: [
    {
      name: 'CAPTURE_CONNECT_TIMEOUT_MS',
      description: 'Timeout for connecting to REDCap.',
      example: '5000',
    },
    {
      name: 'CAPTURE_FIRST_BYTE_TIMEOUT_MS',
      description: 'Timeout for the first byte of a REDCap response.',
      example: '30000',
    },
    {
      name: 'CAPTURE_IDLE_TIMEOUT_MS',
      description: 'Maximum pause within a REDCap response.',
      example: '30000',
    },
    {
      name: 'CAPTURE_TOTAL_TIMEOUT_MS',
      description:
        'Timeout for a whole call, including queueing and retries; for an export, until the first bytes arrive.',
      example: '60000',
    },
    {
      name: 'CAPTURE_MAX_CONCURRENT',
      description:
        "Concurrent calls to REDCap. A quarter is reserved for short calls (if there are several); one caller's exports may use two thirds of the rest.",
      example: '4',
    },
    {
      name: 'CAPTURE_QUEUE_LIMIT',
      description: 'Maximum number of calls waiting in the queue.',
      example: '64',
    },
    {
      name: 'CAPTURE_QUEUE_TIMEOUT_MS',
      description: 'Maximum time a call waits in the queue.',
      example: '2000',
    },
    {
      name: 'CAPTURE_CALLS_PER_MINUTE',
      description:
        'Maximum calls per minute to the host of REDCap, by all processes and projects that share a Redis, otherwise by this process; 0 for no limit. REDCap bans an IP address that makes more than 600.',
      default: '500; no limit on the sandbox',
      example: '500',
    },
    {
      name: 'CAPTURE_RETRIES',
      description: 'Maximum retries of a failed read.',
      example: '2',
    },
    {
      name: 'CAPTURE_BREAKER_FAILURES',
      description: 'Consecutive failures after which the circuit breaker opens; 0 turns it off.',
      example: '10',
    },
    {
      name: 'CAPTURE_BREAKER_RESET_MS',
      description: 'How long the circuit breaker stays open.',
      example: '10000',
    },
    {
      name: 'CAPTURE_CACHE_SECONDS',
      description:
        'How long the version, the project information and the data dictionary are cached; 0 turns the cache off.',
      example: '30',
    },
  ],
};
