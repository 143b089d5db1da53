/** An environment variable, as listed in the docs. */
export interface EnvironmentVariable {
  readonly name: string;
  /** One or two sentences. */
  readonly description: string;
  /** The value that applies if it is unset, in words. */
  readonly default: string;
  /** A valid value for `.env.example`. */
  readonly example: string;
  /** Whether the value is never shown, and can also be read from the file named by `<NAME>_FILE`. */
  readonly isSecret?: boolean;
  readonly topic: string;
}

const REDCAP = 'REDCap';
const STUDY = 'Study';
const SERVER = 'Server';
const ACCESS = 'Access';
const SIGN_IN = 'Sign-in';
const SHARED = 'More than one process';
const RESILIENCE = 'Calls to REDCap';
const LIMITS = 'Limits';

/**
 * Every variable of this package. The docs and `.env.example` are generated from it, and a test compares it with the
 * schema.
 */
export const ENVIRONMENT_VARIABLES: readonly EnvironmentVariable[] = [
  {
    topic: STUDY,
    name: 'STUDY_START',
    description:
      'First day of recruitment. With `STUDY_END` and `STUDY_TARGET` the summary draws the planned recruitment.',
    default: 'none',
    example: '2026-01-05',
  },
  {
    topic: STUDY,
    name: 'STUDY_END',
    description: 'Last day of recruitment.',
    default: 'none',
    example: '2026-12-31',
  },
  {
    topic: STUDY,
    name: 'STUDY_TARGET',
    description: 'Planned number of records by `STUDY_END`.',
    default: 'none',
    example: '400',
  },
  {
    topic: STUDY,
    name: 'STUDY_DATE_FIELD',
    description: 'The field with the day on which a record joined the study.',
    default: 'first date field of the first instrument',
    example: 'consent_date',
  },
  {
    topic: STUDY,
    name: 'SMALL_CELL',
    description:
      'Counts from 1 to below this are left out of the summary for callers without `records:read`; 1 leaves nothing out.',
    default: '5',
    example: '10',
  },
  {
    topic: REDCAP,
    name: 'CAPTURE_API_URL',
    description:
      'URL of the REDCap API. When neither this nor the token is set, the service runs on the sandbox.',
    default: 'sandbox',
    example: 'https://redcap.example.org/api/',
  },
  {
    topic: REDCAP,
    name: 'CAPTURE_API_TOKEN',
    description: 'API token of the REDCap project: 32 hexadecimal characters.',
    default: 'sandbox',
    example: '0123456789ABCDEF0123456789ABCDEF',
    isSecret: true,
  },
  {
    topic: REDCAP,
    name: 'CAPTURE_TIME_ZONE',
    description:
      "Time zone of REDCap's server, which REDCap does not tell. With it, times of the log and of surveys have an offset, and times with an offset are accepted.",
    default: 'times without an offset',
    example: 'Europe/Paris',
  },
  {
    topic: REDCAP,
    name: 'SANDBOX_STUDY',
    description:
      'Study that the sandbox holds: `classic`, a cohort, or `longitudinal`, a trial with arms, events, sites and surveys.',
    default: 'classic',
    example: 'longitudinal',
  },
  {
    topic: REDCAP,
    name: 'RECORD_ID_MIN_LENGTH',
    description: 'Minimum length of a record id in an import. Set 1 if the project numbers its records.',
    default: '20',
    example: '1',
  },
  {
    topic: REDCAP,
    name: 'USER_SOURCE',
    description:
      "Where to look up users: `records` (fields of the project), `project-users` (REDCap's user list), or `auto`: `records` if the data dictionary has both fields, else `project-users`.",
    default: 'auto',
    example: 'records',
  },
  {
    topic: REDCAP,
    name: 'USER_EMAIL_FIELD',
    description: "Field that holds a user's email address.",
    default: 'email',
    example: 'email',
  },
  {
    topic: REDCAP,
    name: 'USER_ID_FIELD',
    description: "Field that holds a user's id.",
    default: 'userid',
    example: 'userid',
  },

  {
    topic: SERVER,
    name: 'PORT',
    description: 'Port to listen on; 0 picks a free one.',
    default: '3000',
    example: '8080',
  },
  {
    topic: SERVER,
    name: 'HOST',
    description: 'Address to listen on.',
    default: '127.0.0.1',
    example: '0.0.0.0',
  },
  {
    topic: SERVER,
    name: 'NODE_ENV',
    description:
      '`production` requires a real project and configured access, requires https for sign-in, and turns `/docs` off by default.',
    default: 'development',
    example: 'production',
  },
  {
    topic: SERVER,
    name: 'LOG_LEVEL',
    description: 'Log level: `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.',
    default: 'info',
    example: 'warn',
  },
  {
    topic: SERVER,
    name: 'ADMIN_PORT',
    description:
      'Port for operators: `/live`, `/ready` and `/metrics` (Prometheus). No port, and no cost, when unset; 0 picks a free one.',
    default: 'none',
    example: '9464',
  },
  {
    topic: SERVER,
    name: 'ADMIN_HOST',
    description: 'Address of the admin port. It asks for no credential: keep it off public networks.',
    default: '127.0.0.1',
    example: '0.0.0.0',
  },
  {
    topic: SERVER,
    name: 'AUDIT_LOG',
    description:
      'Where to write the audit log (`docs/audit.md`): `file:` and an absolute path, `stdout`, or `off`. Independent of `LOG_LEVEL`. While it cannot be written, calls that must be audited get 503.',
    default: '`stdout` in production, else `off`',
    example: 'file:/var/log/crf-service/audit.log',
  },
  {
    topic: SERVER,
    name: 'LOG_FORMAT',
    description: 'Log format: `json`, `pretty`, or `auto` (`pretty` in a terminal, else `json`).',
    default: 'auto',
    example: 'json',
  },
  {
    topic: SERVER,
    name: 'TRUST_PROXY',
    description:
      'Number of trusted reverse proxies, or their addresses, separated by commas. `true` is refused because it would let any client forge its address. Needs `API_KEYS`, `APPWRITE_*` or `ALLOW_ANONYMOUS=true`.',
    default: '0',
    example: '1',
  },
  {
    topic: SERVER,
    name: 'HELP_URL',
    description: 'Where people find help, `https://` or `mailto:`; shown on the help page and in the footer.',
    default: 'none',
    example: 'mailto:crf-help@example.org',
  },
  {
    topic: SERVER,
    name: 'DOCS',
    description: 'Serve the API reference at `/docs`: `on`, `off`, or `auto` (off in production).',
    default: 'auto',
    example: 'on',
  },
  {
    topic: SERVER,
    name: 'DRAIN_DELAY_MS',
    description:
      'How long the server keeps serving after SIGTERM while `/health/ready` answers 503, so that load balancers stop sending requests.',
    default: '5000 in production, else 0',
    example: '5000',
  },
  {
    topic: SERVER,
    name: 'SHUTDOWN_TIMEOUT_MS',
    description:
      'How long running requests may take after the drain delay before their connections are closed.',
    default: '25000',
    example: '25000',
  },

  {
    topic: ACCESS,
    name: 'API_KEYS',
    description:
      'API keys, separated by commas or spaces: `name:sha256:scope+scope[:YYYY-MM-DD]`. Create one with `crf key create`.',
    default: 'none',
    example:
      'portal:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08:project:read+records:read',
    isSecret: true,
  },
  {
    topic: ACCESS,
    name: 'ALLOW_ANONYMOUS',
    description:
      '`true`: everyone who can reach the service may read and import records, and read project and users. `false`: every call needs a credential. Unset: calls from this machine need none until `API_KEYS` or `APPWRITE_*` is set; refused in production and with `TRUST_PROXY`.',
    default: 'unset',
    example: 'false',
  },
  {
    topic: ACCESS,
    name: 'SESSION_SCOPES',
    description: 'Scopes of a signed-in person, separated by commas or spaces; the README lists them all.',
    default: 'project:read',
    example: 'project:read,records:read',
  },

  {
    topic: SIGN_IN,
    name: 'APPWRITE_ENDPOINT',
    description: 'Appwrite endpoint, ending in `/v1`. Requires the next four variables.',
    default: 'sandbox, or no sign-in',
    example: 'https://cloud.appwrite.io/v1',
  },
  {
    topic: SIGN_IN,
    name: 'APPWRITE_PROJECT_ID',
    description: 'Appwrite project id.',
    default: '',
    example: 'my-project',
  },
  {
    topic: SIGN_IN,
    name: 'APPWRITE_API_KEY',
    description: 'Appwrite API key with the scopes `sessions.write`, `users.read` and `users.write`.',
    default: '',
    example: 'standard_0123456789abcdef',
    isSecret: true,
  },
  {
    topic: SIGN_IN,
    name: 'LOGIN_URL',
    description:
      'Public URL of `/login`, used in sign-in links. Must be https, except on loopback in development.',
    default: '',
    example: 'https://crf.example.org/login',
  },
  {
    topic: SIGN_IN,
    name: 'ALLOWED_DOMAINS_REGEXP',
    description:
      'Email domains that may sign in: a regular expression that must match the whole domain (no look-around, no backreferences), or `any`.',
    default: '`example\\.org` on the sandbox only',
    example: 'example\\.org|.*\\.example\\.org',
  },
  {
    topic: SIGN_IN,
    name: 'SIGNED_LINKS_ONLY',
    description:
      'Accept only sign-in links signed by this service (`st`). `false` also accepts links requested elsewhere.',
    default: 'true',
    example: 'false',
  },
  {
    topic: SIGN_IN,
    name: 'LOGIN_CONFIRM',
    description:
      'When a sign-in link shows a confirmation button first: `never`, `unbound` (in browsers that did not request the link) or `always`.',
    default: 'never',
    example: 'unbound',
  },
  {
    topic: SIGN_IN,
    name: 'SESSION_MAX_AGE_SECONDS',
    description: 'Maximum lifetime of a session.',
    default: '43200',
    example: '28800',
  },
  {
    topic: SIGN_IN,
    name: 'SESSION_IDLE_SECONDS',
    description: 'Idle timeout of a session; at least 300.',
    default: '1800',
    example: '900',
  },

  {
    topic: SHARED,
    name: 'REDIS_URL',
    description:
      'Redis or Valkey (6.2 or later) that the replicas of the service share their state through: `redis://` or, with TLS, `rediss://`, with user and password where there are some. When unset, every process has limits, keys and used links of its own.',
    default: 'none: one process',
    example: 'rediss://crf:password@redis.example.org:6379/0',
    isSecret: true,
  },
  {
    topic: SHARED,
    name: 'REDIS_KEY_PREFIX',
    description: 'Prefix of every key in Redis; the rights of an ACL user can be limited to it.',
    default: 'crf:',
    example: 'crf:',
  },
  {
    topic: SHARED,
    name: 'REDIS_TIMEOUT_MS',
    description:
      'How long a command of Redis may take. After that Redis counts as away until it answers again.',
    default: '1000',
    example: '500',
  },

  {
    topic: RESILIENCE,
    name: 'CAPTURE_CONNECT_TIMEOUT_MS',
    description: 'Timeout for connecting to REDCap.',
    default: '5000',
    example: '5000',
  },
  {
    topic: RESILIENCE,
    name: 'CAPTURE_FIRST_BYTE_TIMEOUT_MS',
    description: 'Timeout for the first byte of a REDCap response.',
    default: '30000',
    example: '30000',
  },
  {
    topic: RESILIENCE,
    name: 'CAPTURE_IDLE_TIMEOUT_MS',
    description: 'Maximum pause within a REDCap response.',
    default: '30000',
    example: '30000',
  },
  {
    topic: RESILIENCE,
    name: 'CAPTURE_TOTAL_TIMEOUT_MS',
    description:
      'Timeout for a whole call, including queueing and retries; for an export, until the first bytes arrive.',
    default: '120000',
    example: '60000',
  },
  {
    topic: RESILIENCE,
    name: 'CAPTURE_MAX_CONCURRENT',
    description:
      "Concurrent calls to REDCap. A quarter is reserved for short calls (if there are several); one caller's exports may use two thirds of the rest.",
    default: '8',
    example: '4',
  },
  {
    topic: RESILIENCE,
    name: 'CAPTURE_QUEUE_LIMIT',
    description: 'Maximum number of calls waiting in the queue.',
    default: '64',
    example: '64',
  },
  {
    topic: RESILIENCE,
    name: 'CAPTURE_QUEUE_TIMEOUT_MS',
    description: 'Maximum time a call waits in the queue.',
    default: '2000',
    example: '2000',
  },
  {
    topic: RESILIENCE,
    name: 'CAPTURE_CALLS_PER_MINUTE',
    description:
      'Maximum calls to REDCap per minute; 0 for no limit. REDCap bans an IP address that makes more than 600.',
    default: '500; no limit on the sandbox',
    example: '500',
  },
  {
    topic: RESILIENCE,
    name: 'CAPTURE_RETRIES',
    description: 'Maximum retries of a failed read.',
    default: '2',
    example: '2',
  },
  {
    topic: RESILIENCE,
    name: 'CAPTURE_BREAKER_FAILURES',
    description: 'Consecutive failures after which the circuit breaker opens; 0 turns it off.',
    default: '10',
    example: '10',
  },
  {
    topic: RESILIENCE,
    name: 'CAPTURE_BREAKER_RESET_MS',
    description: 'How long the circuit breaker stays open.',
    default: '10000',
    example: '10000',
  },
  {
    topic: RESILIENCE,
    name: 'CAPTURE_CACHE_SECONDS',
    description:
      'How long the version, the project information and the data dictionary are cached; 0 turns the cache off.',
    default: '30',
    example: '30',
  },

  {
    topic: LIMITS,
    name: 'API_CALLS_PER_MINUTE',
    description:
      'Rate limit of `/api/v1` per API key and per signed-in person, and per network in open mode; 0 for no limit.',
    default: '600; no limit on the open sandbox',
    example: '1200',
  },
  {
    topic: LIMITS,
    name: 'API_FAILED_AUTH_PER_MINUTE',
    description:
      'Rate limit of `/api/v1` per network (IPv6: per /64) for calls without a valid credential; 0 for no limit.',
    default: '60; no limit on the open sandbox',
    example: '60',
  },
  {
    topic: LIMITS,
    name: 'BODY_LIMIT_BYTES',
    description: 'Maximum size of a JSON body, except for imports.',
    default: '1048576',
    example: '1048576',
  },
  {
    topic: LIMITS,
    name: 'URL_LIMIT_BYTES',
    description: 'Maximum length of a URL.',
    default: '8192',
    example: '8192',
  },
  {
    topic: LIMITS,
    name: 'EXPORT_MIN_BYTES_PER_SECOND',
    description:
      'Minimum speed at which a client must read an export or send a file, averaged over 30 seconds or 1 MiB; 0 for no minimum.',
    default: '16384',
    example: '65536',
  },
  {
    topic: LIMITS,
    name: 'CAPTURE_IMPORT_ENCODING',
    description:
      'Encoding of imports to REDCap: `multipart`, or `urlencoded` (twice the size) if a proxy rejects multipart.',
    default: 'multipart',
    example: 'urlencoded',
  },
  {
    topic: LIMITS,
    name: 'IMPORT_LIMIT_BYTES',
    description: 'Maximum size of an import.',
    default: '1073741824',
    example: '104857600',
  },
  {
    topic: LIMITS,
    name: 'FILE_LIMIT_BYTES',
    description: 'Maximum size of an uploaded file. REDCap has a limit of its own.',
    default: '134217728',
    example: '33554432',
  },
  {
    topic: LIMITS,
    name: 'IMPORT_CHUNK_ROWS',
    description: 'Maximum number of rows an import sends in one call to REDCap.',
    default: '1000',
    example: '500',
  },
  {
    topic: LIMITS,
    name: 'IMPORT_CHUNK_BYTES',
    description: 'Maximum number of bytes an import sends in one call to REDCap.',
    default: '4194304',
    example: '524288',
  },
  {
    topic: LIMITS,
    name: 'IMPORT_MAX_CONCURRENT',
    description: 'Concurrent calls to REDCap per import; at most half of `CAPTURE_MAX_CONCURRENT`.',
    default: '4',
    example: '1',
  },
  {
    topic: LIMITS,
    name: 'SERVER_HEADERS_TIMEOUT_MS',
    description: 'Timeout for receiving the request headers.',
    default: '15000',
    example: '15000',
  },
  {
    topic: LIMITS,
    name: 'SERVER_IDLE_TIMEOUT_MS',
    description: 'Idle timeout of a connection during a request.',
    default: '60000',
    example: '60000',
  },
  {
    topic: LIMITS,
    name: 'SERVER_KEEP_ALIVE_MS',
    description: 'Keep-alive timeout between requests. Must be longer than that of the proxy in front.',
    default: '65000',
    example: '65000',
  },
  {
    topic: LIMITS,
    name: 'SERVER_MAX_CONNECTIONS',
    description: 'Maximum number of concurrent connections.',
    default: '1000',
    example: '1000',
  },
  {
    topic: LIMITS,
    name: 'SERVER_MAX_CONNECTIONS_PER_NETWORK',
    description:
      'Maximum number of concurrent connections per IPv4 address or IPv6 /64; proxies that `TRUST_PROXY` trusts are exempt.',
    default: 'half of `SERVER_MAX_CONNECTIONS`',
    example: '100',
  },
  {
    topic: LIMITS,
    name: 'MAX_EVENT_LOOP_DELAY_MS',
    description: 'Event-loop delay above which requests get 503; 0 turns it off.',
    default: '500',
    example: '500',
  },
  {
    topic: LIMITS,
    name: 'MAX_HEAP_PERCENT',
    description: 'Heap usage, in percent, above which requests get 503; 0 turns it off.',
    default: '90',
    example: '85',
  },
];
