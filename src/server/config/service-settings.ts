import * as z from 'zod';
import {
  type AuditLogTarget,
  hostName,
  integer,
  madeUpSecret,
  milliseconds,
  oneOf,
  parseAllowedOrigins,
  parseApiKeys,
  parseAuditLog,
  parsed,
  parseScopes,
  parseTrustProxy,
  pause,
  text,
  toSecret,
} from './value-types.js';
import { setting } from './setting.js';

/** Where the service listens, what it logs, and how it stops. */
export const SERVER = {
  PORT: setting('server.port', integer(0, 65_535).default(3000), {
    text: 'Port to listen on; 0 picks a free one.',
    example: '8080',
  }),
  HOST: setting('server.host', hostName, { text: 'Address to listen on.', example: '0.0.0.0' }),
  NODE_ENV: setting('isProduction', oneOf('development', 'production', 'test').default('development'), {
    text: '`production` requires a real project and configured access, requires https for sign-in, and turns `/docs` off by default.',
    toOption: (mode) => mode === 'production',
    example: 'production',
  }),
  LOG_LEVEL: setting(
    'log.level',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
    { text: 'Log level: `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.', example: 'warn' },
  ),
  ADMIN_PORT: setting('admin.port', integer(0, 65_535).optional(), {
    text: 'Port for operators: `/live`, `/ready` and `/metrics` (Prometheus). If unset, there is no such port and nothing is counted; 0 picks a free one.',
    example: '9464',
  }),
  ADMIN_HOST: setting('admin.host', hostName, {
    text: 'Address of the admin port. It requires no credential: keep it off public networks.',
    example: '0.0.0.0',
  }),
  AUDIT_LOG: setting('auditLog', parsed(parseAuditLog).optional(), {
    text: 'Where to write the audit log (`docs/audit.md`): `file:` and an absolute path, `stdout`, or `off`. Independent of `LOG_LEVEL`. While it cannot be written, calls that must be audited get 503.',
    unset: '`stdout` in production, else `off`',
    toOption: (target, { isProduction }): AuditLogTarget =>
      target ?? { kind: isProduction ? 'stdout' : 'off' },
    example: 'file:/var/log/crf-service/audit.log',
  }),
  AUDIT_PSEUDONYM_KEY: setting('pseudonymKey', madeUpSecret, {
    text: 'Key of the pseudonyms in the audit log, 32 to 256 characters, as from `openssl rand -hex 32`. Keep it as long as the log: with it, `crf audit find` recognises records and persons after the token and the API key of Appwrite were replaced.',
    unset: 'derived from `APPWRITE_API_KEY` or `CAPTURE_API_TOKEN`',
    example: 'd0e5a1b7c3f94826d0e5a1b7c3f94826d0e5a1b7c3f94826d0e5a1b7c3f94826',
    isSecret: true,
  }),
  LOG_FORMAT: setting('log.format', oneOf('auto', 'json', 'pretty').default('auto'), {
    text: 'Log format: `json`, `pretty`, or `auto` (`pretty` in a terminal, else `json`).',
    example: 'json',
  }),
  TRUST_PROXY: setting('app.trustProxy', parsed(parseTrustProxy).default(0), {
    text: 'Number of trusted reverse proxies, or their addresses, separated by commas. `true` is refused because it would let any client forge its address. Needs `API_KEYS`, `APPWRITE_*` or `ALLOW_ANONYMOUS=true`.',
    example: '1',
  }),
  HELP_URL: setting(
    'app.helpUrl',
    z
      .string()
      .regex(/^(?:https:\/\/|mailto:)[^\s"<>]{1,200}$/, 'must begin with https:// or mailto:')
      .optional(),
    {
      text: 'Where people find help, `https://` or `mailto:`; shown on the help page and in the footer.',
      example: 'mailto:crf-help@example.org',
    },
  ),
  DOCS: setting('app.docs', oneOf('auto', 'on', 'off').default('auto'), {
    text: 'Serve the API reference at `/docs`: `on`, `off`, or `auto` (off in production).',
    toOption: (docs, { isProduction }) => (docs === 'auto' ? !isProduction : docs === 'on'),
    example: 'on',
  }),
  DRAIN_DELAY_MS: setting('shutdown.drainDelayMs', pause.optional(), {
    text: 'How long the server keeps serving after SIGTERM while `/health/ready` answers 503, so that load balancers stop sending requests.',
    unset: '5000 in production, else 0',
    toOption: (delay, { isProduction }) => delay ?? (isProduction ? 5000 : 0),
    example: '5000',
  }),
  SHUTDOWN_TIMEOUT_MS: setting('shutdown.timeoutMs', pause.default(25_000), {
    text: 'How long running requests may take after the drain delay before their connections are closed.',
  }),
};

/** Who may call the service, and with which scopes. */
export const ACCESS = {
  API_KEYS: setting('app.access.apiKeys', parsed(parseApiKeys).default([]), {
    text: 'API keys, separated by commas or spaces: `name:sha256:scope+scope[:YYYY-MM-DD]`. Create one with `crf key create`.',
    example:
      'portal:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08:project:read+records:read',
    isSecret: true,
  }),
  ALLOW_ANONYMOUS: setting('app.access.allowAnonymous', oneOf('true', 'false').optional(), {
    text: '`true`: everyone who can reach the service may read and import records, and read project and users. `false`: every call needs a credential. Unset: calls from this machine need none until `API_KEYS` or `APPWRITE_*` is set; refused in production and with `TRUST_PROXY`.',
    unset: 'unset',
    toOption: (_given, { isOpen }) => isOpen,
    example: 'false',
  }),
  API_DOOR: setting('app.apiDoor', oneOf('on', 'off').default('on'), {
    text: "Whether REDCap's own API is served at `/api/`, for clients that send an API key as its token; in open mode on loopback only.",
    toOption: (door) => door === 'on',
    example: 'off',
  }),
  ALLOWED_ORIGINS: setting('app.access.allowedOrigins', parsed(parseAllowedOrigins).default([]), {
    text: 'Origins whose pages may call the API with an API key (CORS), separated by commas or spaces. A session never counts there.',
    example: 'https://app.example.org',
  }),
  POLICY_FILE: setting('policyFile', text, {
    text: 'A YAML file that says what each caller sees of the project ([rights](../rights.md)), with its lock beside it (`policy.lock` for `policy.yaml`). Read again on SIGHUP. Without it every caller sees all that the scopes allow.',
    example: '/etc/crf/policy.yaml',
  }),
  PSEUDONYM_KEY: setting(
    'recordKey',
    z
      .string()
      .regex(/^[0-9a-fA-F]{64}$/, 'must have 64 hexadecimal digits')
      .transform(toSecret)
      .optional(),
    {
      text: 'Key of the pseudonyms and date shifts of a policy that [de-identifies](../deidentification.md), 64 hexadecimal digits, as from `openssl rand -hex 32`. Whoever has it can get record ids and dates back; with another one all of them change.',
      example: '2f6d0c9b4a7e81350d5c1f9ea3b86472c0914be7d2a5f3681e9b70c4d85a3f16',
      isSecret: true,
    },
  ),
  SESSION_SCOPES: setting('app.access.sessionScopes', parsed(parseScopes).default(['project:read']), {
    text: 'Scopes of a signed-in person, separated by commas or spaces; `docs/connect.md` lists them all.',
    example: 'project:read,records:read',
  }),
};

/** What the service accepts from its callers, and how much it does at once. */
export const LIMITS = {
  API_CALLS_PER_MINUTE: setting('app.limits.callsPerMinute', integer(0, 10_000_000).optional(), {
    text: 'Rate limit of `/api/v1` per API key and per signed-in person, and per network in open mode; 0 for no limit.',
    unset: '600; no limit on the open sandbox',
    toOption: (calls, { isSandbox, isOpen }) => calls ?? (isSandbox && isOpen ? 0 : 600),
    example: '1200',
  }),
  API_FAILED_AUTH_PER_MINUTE: setting('app.limits.failedAuthPerMinute', integer(0, 10_000_000).optional(), {
    text: 'Rate limit of `/api/v1` per network (IPv6: per /64) for calls without a valid credential; 0 for no limit.',
    unset: '60; no limit on the open sandbox',
    toOption: (calls, { isSandbox, isOpen }) => calls ?? (isSandbox && isOpen ? 0 : 60),
    example: '60',
  }),
  BODY_LIMIT_BYTES: setting('app.limits.bodyBytes', integer(1024, 2 ** 30).default(1024 * 1024), {
    text: 'Maximum size of a JSON body, except for imports and sign-up (4 KB).',
  }),
  URL_LIMIT_BYTES: setting('app.limits.urlBytes', integer(1024, 15_000).default(8192), {
    text: 'Maximum length of a URL.',
  }),
  EXPORT_MIN_BYTES_PER_SECOND: setting(
    'app.limits.exportMinBytesPerSecond',
    integer(0, 2 ** 30).default(16 * 1024),
    {
      text: 'Minimum speed at which a client must read an export or send a body, averaged over 30 seconds or 1 MiB; 0 for no minimum.',
    },
  ),
  CAPTURE_IMPORT_ENCODING: setting(
    'client.importEncoding',
    oneOf('multipart', 'urlencoded').default('multipart'),
    {
      text: 'Encoding of imports to REDCap: `multipart`, or `urlencoded` (twice the size) if a proxy rejects multipart.',
      example: 'urlencoded',
    },
  ),
  IMPORT_LIMIT_BYTES: setting('project.imports.limitBytes', integer(1024, 2 ** 40).default(2 ** 30), {
    text: 'Maximum size of an import.',
  }),
  FILE_LIMIT_BYTES: setting('app.files.limitBytes', integer(1024, 2 ** 40).default(128 * 1024 * 1024), {
    text: 'Maximum size of an uploaded file. REDCap has its own limit, too.',
  }),
  IMPORT_BATCH_SIZE: setting('project.imports.batchSize', integer(1, 100_000).default(1000), {
    text: 'Maximum number of rows an import sends in one call to REDCap.',
  }),
  IMPORT_CHUNK_BYTES: setting('project.imports.chunkBytes', integer(1024, 2 ** 30).default(4 * 1024 * 1024), {
    text: 'Maximum number of bytes an import sends in one call to REDCap.',
  }),
  IMPORT_MAX_CONCURRENT: setting('project.imports.concurrency', integer(1, 16).default(4), {
    text: 'Concurrent calls to REDCap per import; at most half of `CAPTURE_MAX_CONCURRENT`.',
  }),
  SERVER_HEADERS_TIMEOUT_MS: setting('http.headersTimeoutMs', milliseconds.default(15_000), {
    text: 'Timeout for receiving the request headers.',
  }),
  SERVER_IDLE_TIMEOUT_MS: setting('http.idleTimeoutMs', milliseconds.default(60_000), {
    text: 'How long a caller may be silent within a request, or without reading the answer. The time in which the service waits for REDCap does not count.',
  }),
  SERVER_KEEP_ALIVE_MS: setting('http.keepAliveTimeoutMs', milliseconds.default(65_000), {
    text: 'Keep-alive timeout between requests. Must be longer than that of the proxy in front.',
  }),
  SERVER_MAX_CONNECTIONS: setting('http.maxConnections', integer(1, 1_000_000).default(1000), {
    text: 'Maximum number of concurrent connections.',
  }),
  SERVER_MAX_CONNECTIONS_PER_NETWORK: setting(
    'http.maxConnectionsPerNetwork',
    integer(1, 1_000_000).optional(),
    {
      text: 'Maximum number of concurrent connections per IPv4 address or IPv6 /64; proxies that `TRUST_PROXY` trusts are exempt.',
      unset: 'half of `SERVER_MAX_CONNECTIONS`',
      example: '100',
    },
  ),
  MAX_EVENT_LOOP_DELAY_MS: setting('overload.eventLoopDelayMs', pause.default(500), {
    text: 'Event-loop delay above which requests get 503, if ten others are in progress; 0 turns it off.',
  }),
  MAX_HEAP_PERCENT: setting('overload.heapPercent', integer(0, 100).default(90), {
    text: 'Heap usage, in percent, above which requests get 503, if another is in progress; 0 turns it off.',
  }),
};
