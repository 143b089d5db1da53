import type { VariableTopic } from './environment-variable.js';

/** What the service accepts from its callers, and how much it does at once. */
export const LIMITS: VariableTopic = {
  topic: 'Limits',
  variables: [
    {
      name: 'API_CALLS_PER_MINUTE',
      description:
        'Rate limit of `/api/v1` per API key and per signed-in person, and per network in open mode; 0 for no limit.',
      default: '600; no limit on the open sandbox',
      example: '1200',
    },
    {
      name: 'API_FAILED_AUTH_PER_MINUTE',
      description:
        'Rate limit of `/api/v1` per network (IPv6: per /64) for calls without a valid credential; 0 for no limit.',
      default: '60; no limit on the open sandbox',
      example: '60',
    },
    {
      name: 'BODY_LIMIT_BYTES',
      description: 'Maximum size of a JSON body, except for imports and sign-up (4 KB).',
      example: '1048576',
    },
    {
      name: 'URL_LIMIT_BYTES',
      description: 'Maximum length of a URL.',
      example: '8192',
    },
    {
      name: 'EXPORT_MIN_BYTES_PER_SECOND',
      description:
        'Minimum speed at which a client must read an export or send a body, averaged over 30 seconds or 1 MiB; 0 for no minimum.',
      example: '65536',
    },
    {
      name: 'CAPTURE_IMPORT_ENCODING',
      description:
        'Encoding of imports to REDCap: `multipart`, or `urlencoded` (twice the size) if a proxy rejects multipart.',
      example: 'urlencoded',
    },
    {
      name: 'IMPORT_LIMIT_BYTES',
      description: 'Maximum size of an import.',
      example: '104857600',
    },
    {
      name: 'FILE_LIMIT_BYTES',
      description: 'Maximum size of an uploaded file. REDCap has its own limit, too.',
      example: '33554432',
    },
    {
      name: 'IMPORT_CHUNK_ROWS',
      description: 'Maximum number of rows an import sends in one call to REDCap.',
      example: '500',
    },
    {
      name: 'IMPORT_CHUNK_BYTES',
      description: 'Maximum number of bytes an import sends in one call to REDCap.',
      example: '524288',
    },
    {
      name: 'IMPORT_MAX_CONCURRENT',
      description: 'Concurrent calls to REDCap per import; at most half of `CAPTURE_MAX_CONCURRENT`.',
      example: '1',
    },
    {
      name: 'SERVER_HEADERS_TIMEOUT_MS',
      description: 'Timeout for receiving the request headers.',
      example: '15000',
    },
    {
      name: 'SERVER_IDLE_TIMEOUT_MS',
      description:
        'How long a caller may be silent within a request, or without reading the answer. The time in which the service waits for REDCap does not count.',
      example: '60000',
    },
    {
      name: 'SERVER_KEEP_ALIVE_MS',
      description: 'Keep-alive timeout between requests. Must be longer than that of the proxy in front.',
      example: '65000',
    },
    {
      name: 'SERVER_MAX_CONNECTIONS',
      description: 'Maximum number of concurrent connections.',
      example: '1000',
    },
    {
      name: 'SERVER_MAX_CONNECTIONS_PER_NETWORK',
      description:
        'Maximum number of concurrent connections per IPv4 address or IPv6 /64; proxies that `TRUST_PROXY` trusts are exempt.',
      default: 'half of `SERVER_MAX_CONNECTIONS`',
      example: '100',
    },
    {
      name: 'MAX_EVENT_LOOP_DELAY_MS',
      description:
        'Event-loop delay above which requests get 503, if ten others are in progress; 0 turns it off.',
      example: '500',
    },
    {
      name: 'MAX_HEAP_PERCENT',
      description:
        'Heap usage, in percent, above which requests get 503, if another is in progress; 0 turns it off.',
      example: '85',
    },
  ],
};
