/** One variable of the environment, as the documents list it. */
export interface EnvironmentVariable {
  readonly name: string;
  /** What it does, as a sentence or two. */
  readonly description: string;
  /** What holds when it is unset, for people. */
  readonly default: string;
  /** A value that could stand in `.env`. */
  readonly example: string;
  /** Whether its value must never be shown; it can come from a file then, named by `<NAME>_FILE`. */
  readonly isSecret?: boolean;
  readonly topic: string;
}

const REDCAP = 'REDCap';
const SERVER = 'Server';
const ACCESS = 'Access';
const SIGN_IN = 'Sign-in';
const RESILIENCE = 'In front of REDCap';
const LIMITS = 'Limits';

/** Every variable this package reads: the schema, `.env.example` and `docs/configuration.md` are held against it. */
export const ENVIRONMENT_VARIABLES: readonly EnvironmentVariable[] = [
  {
    topic: REDCAP,
    name: 'CAPTURE_API_URL',
    description: "The address of REDCap's API. Unset together with the token: the sandbox.",
    default: 'the sandbox',
    example: 'https://redcap.example.org/api/',
  },
  {
    topic: REDCAP,
    name: 'CAPTURE_API_TOKEN',
    description: 'The token of the project: 32 hexadecimal characters.',
    default: 'the sandbox',
    example: '0123456789ABCDEF0123456789ABCDEF',
    isSecret: true,
  },
  {
    topic: REDCAP,
    name: 'RECORD_ID_MIN_LENGTH',
    description:
      'The least length of a record id that may be imported. Set 1 for projects that number their records.',
    default: '20',
    example: '1',
  },
  {
    topic: REDCAP,
    name: 'USER_SOURCE',
    description:
      "Where users are looked up: `records` (fields of the project), `project-users` (REDCap's own list), or `auto`: records where the data dictionary has both fields.",
    default: 'auto',
    example: 'records',
  },
  {
    topic: REDCAP,
    name: 'USER_EMAIL_FIELD',
    description: "The field that holds a person's address.",
    default: 'email',
    example: 'email',
  },
  {
    topic: REDCAP,
    name: 'USER_ID_FIELD',
    description: "The field that holds a person's user id.",
    default: 'userid',
    example: 'userid',
  },

  {
    topic: SERVER,
    name: 'PORT',
    description: 'The port to listen on; 0 for any free one.',
    default: '3000',
    example: '8080',
  },
  {
    topic: SERVER,
    name: 'HOST',
    description: 'The address to listen on.',
    default: '127.0.0.1',
    example: '0.0.0.0',
  },
  {
    topic: SERVER,
    name: 'NODE_ENV',
    description:
      '`production` refuses the sandbox, open mode by default and plain http for sign-in, and switches `/docs` off.',
    default: 'development',
    example: 'production',
  },
  {
    topic: SERVER,
    name: 'LOG_LEVEL',
    description: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.',
    default: 'info',
    example: 'warn',
  },
  {
    topic: SERVER,
    name: 'LOG_FORMAT',
    description: '`json`, `pretty`, or `auto`: pretty in a terminal.',
    default: 'auto',
    example: 'json',
  },
  {
    topic: SERVER,
    name: 'TRUST_PROXY',
    description:
      'How many proxies stand in front, or their addresses, comma separated; refused in open mode by default. `true` is refused: any client could choose its address.',
    default: '0',
    example: '1',
  },
  {
    topic: SERVER,
    name: 'DOCS',
    description: 'Serves the reference page at `/docs`: `on`, `off`, or `auto`: off in production.',
    default: 'auto',
    example: 'on',
  },
  {
    topic: SERVER,
    name: 'DRAIN_DELAY_MS',
    description:
      'How long the server goes on serving after SIGTERM while `/health/ready` answers 503, so that a load balancer notices.',
    default: '5000 in production, else 0',
    example: '5000',
  },
  {
    topic: SERVER,
    name: 'SHUTDOWN_TIMEOUT_MS',
    description:
      'How long requests under way may take to finish after that, before their connections are destroyed.',
    default: '25000',
    example: '25000',
  },

  {
    topic: ACCESS,
    name: 'API_KEYS',
    description:
      'The API keys: `name:sha256:scope+scope[:YYYY-MM-DD]`, separated by commas or blanks. `crf key create` makes one.',
    default: 'none',
    example:
      'portal:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08:project:read+records:read',
    isSecret: true,
  },
  {
    topic: ACCESS,
    name: 'ALLOW_ANONYMOUS',
    description:
      'Unset: open to this machine alone when neither `API_KEYS` nor `APPWRITE_*` is set; refused in production and with `TRUST_PROXY`. `true`: open anywhere. `false`: closed.',
    default: 'unset',
    example: 'false',
  },
  {
    topic: ACCESS,
    name: 'SESSION_SCOPES',
    description: 'What a signed-in person may do: scopes, separated by commas or blanks.',
    default: 'project:read',
    example: 'project:read,records:read',
  },

  {
    topic: SIGN_IN,
    name: 'APPWRITE_ENDPOINT',
    description: 'The address of Appwrite, ending in `/v1`. With it the next four are needed too.',
    default: "the sandbox's own, or no sign-in",
    example: 'https://cloud.appwrite.io/v1',
  },
  {
    topic: SIGN_IN,
    name: 'APPWRITE_PROJECT_ID',
    description: 'The project in Appwrite.',
    default: '',
    example: 'my-project',
  },
  {
    topic: SIGN_IN,
    name: 'APPWRITE_API_KEY',
    description:
      'An API key of that project with the scopes `sessions.write`, `users.read` and `users.write`.',
    default: '',
    example: 'standard_0123456789abcdef',
    isSecret: true,
  },
  {
    topic: SIGN_IN,
    name: 'LOGIN_URL',
    description: 'Where links lead: the public address of `/login`. https, but for loopback in development.',
    default: '',
    example: 'https://crf.example.org/login',
  },
  {
    topic: SIGN_IN,
    name: 'ALLOWED_DOMAINS_REGEXP',
    description:
      'The domains whose addresses may sign in, as a regular expression that has to match the whole domain, without look-around and backreferences; `any` for all.',
    default: '`example\\.org` on the sandbox, and there alone',
    example: 'example\\.org|.*\\.example\\.org',
  },
  {
    topic: SIGN_IN,
    name: 'SIGNED_LINKS_ONLY',
    description:
      'Whether links without the signature of this service (`st`) are refused; `false` takes links asked for elsewhere too.',
    default: 'true',
    example: 'false',
  },
  {
    topic: SIGN_IN,
    name: 'LOGIN_CONFIRM',
    description:
      'Whether a button comes before a link signs in: `never`, `unbound` (only in a browser that did not ask for it), `always`.',
    default: 'never',
    example: 'unbound',
  },
  {
    topic: SIGN_IN,
    name: 'SESSION_MAX_AGE_SECONDS',
    description: 'How long a session lasts at most.',
    default: '43200',
    example: '28800',
  },
  {
    topic: SIGN_IN,
    name: 'SESSION_IDLE_SECONDS',
    description: 'How long a session may lie unused before it ends; at least 300.',
    default: '1800',
    example: '900',
  },

  {
    topic: RESILIENCE,
    name: 'CAPTURE_CONNECT_TIMEOUT_MS',
    description: 'How long connecting to REDCap may take.',
    default: '5000',
    example: '5000',
  },
  {
    topic: RESILIENCE,
    name: 'CAPTURE_FIRST_BYTE_TIMEOUT_MS',
    description: 'How long REDCap may take to begin its answer.',
    default: '30000',
    example: '30000',
  },
  {
    topic: RESILIENCE,
    name: 'CAPTURE_IDLE_TIMEOUT_MS',
    description: 'How long REDCap may be silent in the middle of an answer.',
    default: '30000',
    example: '30000',
  },
  {
    topic: RESILIENCE,
    name: 'CAPTURE_TOTAL_TIMEOUT_MS',
    description:
      'How long a call may take with its waiting and its retries; for an export, until its first bytes.',
    default: '120000',
    example: '60000',
  },
  {
    topic: RESILIENCE,
    name: 'CAPTURE_MAX_CONCURRENT',
    description:
      'Calls to REDCap at once. A quarter, at least one of several, is left to short calls; one caller has at most two thirds of the rest for its exports.',
    default: '8',
    example: '4',
  },
  {
    topic: RESILIENCE,
    name: 'CAPTURE_QUEUE_LIMIT',
    description: 'Calls that may wait for their turn.',
    default: '64',
    example: '64',
  },
  {
    topic: RESILIENCE,
    name: 'CAPTURE_QUEUE_TIMEOUT_MS',
    description: 'How long a call waits for its turn before it is refused.',
    default: '2000',
    example: '2000',
  },
  {
    topic: RESILIENCE,
    name: 'CAPTURE_CALLS_PER_MINUTE',
    description:
      'Calls to REDCap a minute; 0 for no ceiling. REDCap bans an address that makes more than 600.',
    default: '500; none on the sandbox',
    example: '500',
  },
  {
    topic: RESILIENCE,
    name: 'CAPTURE_RETRIES',
    description: 'How often a failed read is tried again.',
    default: '2',
    example: '2',
  },
  {
    topic: RESILIENCE,
    name: 'CAPTURE_BREAKER_FAILURES',
    description: 'Failures in a row after which REDCap is left alone for a while; 0 for never.',
    default: '10',
    example: '10',
  },
  {
    topic: RESILIENCE,
    name: 'CAPTURE_BREAKER_RESET_MS',
    description: 'How long it is left alone.',
    default: '10000',
    example: '10000',
  },
  {
    topic: RESILIENCE,
    name: 'CAPTURE_CACHE_SECONDS',
    description:
      'How long version, project information and data dictionary are remembered; 0 for not at all.',
    default: '30',
    example: '30',
  },

  {
    topic: LIMITS,
    name: 'API_CALLS_PER_MINUTE',
    description:
      'Calls of `/api/v1` a minute for each API key and each signed-in person, and in open mode for each network; 0 for no limit.',
    default: '600; none on the sandbox in open mode',
    example: '1200',
  },
  {
    topic: LIMITS,
    name: 'API_FAILED_AUTH_PER_MINUTE',
    description:
      'Calls of `/api/v1` a minute without a valid credential for each network (IPv6: each /64); 0 for no limit.',
    default: '60; none on the sandbox in open mode',
    example: '60',
  },
  {
    topic: LIMITS,
    name: 'BODY_LIMIT_BYTES',
    description: 'Bytes of a JSON body, imports apart.',
    default: '1048576',
    example: '1048576',
  },
  {
    topic: LIMITS,
    name: 'URL_LIMIT_BYTES',
    description: 'Bytes of a URL.',
    default: '8192',
    example: '8192',
  },
  {
    topic: LIMITS,
    name: 'EXPORT_MIN_BYTES_PER_SECOND',
    description: 'How fast an export has to be read, averaged over half a minute or 1 MiB; 0 for any pace.',
    default: '16384',
    example: '65536',
  },
  {
    topic: LIMITS,
    name: 'CAPTURE_IMPORT_ENCODING',
    description:
      'How an import is sent to REDCap: `multipart`, or `urlencoded`, which is twice as long, where a proxy refuses it.',
    default: 'multipart',
    example: 'urlencoded',
  },
  {
    topic: LIMITS,
    name: 'IMPORT_LIMIT_BYTES',
    description: 'Bytes of one import.',
    default: '1073741824',
    example: '104857600',
  },
  {
    topic: LIMITS,
    name: 'IMPORT_CHUNK_ROWS',
    description: 'Rows of one call to REDCap in an import.',
    default: '1000',
    example: '500',
  },
  {
    topic: LIMITS,
    name: 'IMPORT_CHUNK_BYTES',
    description: 'Bytes of one call to REDCap in an import.',
    default: '4194304',
    example: '524288',
  },
  {
    topic: LIMITS,
    name: 'IMPORT_MAX_CONCURRENT',
    description: 'Calls of one import to REDCap at once: at most half of `CAPTURE_MAX_CONCURRENT`.',
    default: '4',
    example: '1',
  },
  {
    topic: LIMITS,
    name: 'SERVER_HEADERS_TIMEOUT_MS',
    description: 'How long a client may take to send its headers.',
    default: '15000',
    example: '15000',
  },
  {
    topic: LIMITS,
    name: 'SERVER_IDLE_TIMEOUT_MS',
    description: 'How long a connection may be silent in the middle of a request.',
    default: '60000',
    example: '60000',
  },
  {
    topic: LIMITS,
    name: 'SERVER_KEEP_ALIVE_MS',
    description: 'How long a connection waits for its next request: longer than the proxy in front does.',
    default: '65000',
    example: '65000',
  },
  {
    topic: LIMITS,
    name: 'SERVER_MAX_CONNECTIONS',
    description: 'Connections at once.',
    default: '1000',
    example: '1000',
  },
  {
    topic: LIMITS,
    name: 'SERVER_MAX_CONNECTIONS_PER_NETWORK',
    description:
      'Connections at once from one IPv4 address or one /64 of IPv6; a proxy that `TRUST_PROXY` trusts is exempt.',
    default: 'half of `SERVER_MAX_CONNECTIONS`',
    example: '100',
  },
  {
    topic: LIMITS,
    name: 'MAX_EVENT_LOOP_DELAY_MS',
    description: 'From which delay of the event loop on requests are refused with 503; 0 for never.',
    default: '500',
    example: '500',
  },
  {
    topic: LIMITS,
    name: 'MAX_HEAP_PERCENT',
    description: 'From which percentage of the heap on requests are refused with 503; 0 for never.',
    default: '90',
    example: '85',
  },
];
