import type { FieldProblem } from '../../domain/errors/field-problem.js';
import {
  IDENTITY_ENDPOINT_RULE,
  isLoopbackHost,
  LOGIN_URL_RULE,
  toIdentityEndpoint,
  toLoginUrl,
} from '../../domain/identifiers/api-url.js';
import { nearestName } from '../../domain/identifiers/nearest-name.js';
import { SETTINGS } from './all-settings.js';
import type { Environment } from './environment.js';
import { parseTrustProxy } from './value-types.js';

/**
 * Whether the service requires no credential only because none is configured. In that case it is restricted to this
 * machine.
 *
 * @param given the environment returned by `withSecretFiles`
 */
export function isOpenByDefault(given: Environment): boolean {
  return (
    given.ALLOW_ANONYMOUS === undefined &&
    given.API_KEYS === undefined &&
    given.APPWRITE_ENDPOINT === undefined
  );
}

/** Requires a complete REDCap configuration or none, and refuses the sandbox in production, or beside anything real. */
export function captureRules(environment: Environment): FieldProblem[] {
  if (environment.SANDBOX === 'true' && REAL.some((name) => environment[name] !== undefined))
    return [
      {
        field: 'SANDBOX',
        message:
          'must not be true beside a REDCap or an Appwrite of your own: remove it, or CAPTURE_*, PROJECTS_FILE and APPWRITE_*',
      },
    ];
  const { CAPTURE_API_URL: url, CAPTURE_API_TOKEN: token } = environment;
  if (url !== undefined && token === undefined) return [missing('CAPTURE_API_TOKEN', 'CAPTURE_API_URL')];
  if (url === undefined && token !== undefined) return [missing('CAPTURE_API_URL', 'CAPTURE_API_TOKEN')];
  if (url !== undefined || environment.NODE_ENV !== 'production') return [];
  return [
    {
      field: 'CAPTURE_API_URL',
      message: 'is needed in production, with CAPTURE_API_TOKEN: the sandbox is refused there',
    },
  ];
}

const SIGN_IN = [
  'APPWRITE_ENDPOINT',
  'APPWRITE_PROJECT_ID',
  'APPWRITE_API_KEY',
  'LOGIN_URL',
  'ALLOWED_DOMAINS_REGEXP',
];

const REAL = ['CAPTURE_API_URL', 'CAPTURE_API_TOKEN', 'PROJECTS_FILE', ...SIGN_IN.slice(0, 3)];

/** Requires all sign-in settings or none, https for safe cookies (COOK-04), and an allow-list of domains (MAIL-07). */
export function signInRules(environment: Environment): FieldProblem[] {
  const set = SIGN_IN.filter((name) => environment[name] !== undefined);
  const isOnSandbox =
    environment.CAPTURE_API_URL === undefined && environment.APPWRITE_ENDPOINT === undefined;
  // On the sandbox, only the allow-list may be set.
  if (set.length === 0 || (isOnSandbox && set.every((name) => name === 'ALLOWED_DOMAINS_REGEXP'))) return [];

  const [first = ''] = set;
  const missingOnes = SIGN_IN.filter((name) => !set.includes(name)).map((name) => missing(name, first));
  return [...missingOnes, ...endpointRules(environment), ...loginUrlRules(environment)];
}

function endpointRules({ APPWRITE_ENDPOINT: endpoint }: Environment): FieldProblem[] {
  if (endpoint === undefined || toIdentityEndpoint(endpoint) !== undefined) return [];
  return [{ field: 'APPWRITE_ENDPOINT', message: IDENTITY_ENDPOINT_RULE }];
}

function loginUrlRules({ LOGIN_URL: loginUrl, NODE_ENV: mode }: Environment): FieldProblem[] {
  if (loginUrl === undefined) return [];
  const url = toLoginUrl(loginUrl);
  if (url === undefined) return [{ field: 'LOGIN_URL', message: LOGIN_URL_RULE }];
  if (mode !== 'production' || url.protocol === 'https:') return [];
  return [{ field: 'LOGIN_URL', message: 'must be an https: URL in production' }];
}

/**
 * Restricts open mode to this machine. If others can reach the service, its operator must state explicitly that
 * everybody may read and write.
 */
export function accessRules(environment: Environment): FieldProblem[] {
  const isOpen = isOpenByDefault(environment);
  if (environment.POLICY_FILE !== undefined && (isOpen || environment.ALLOW_ANONYMOUS === 'true'))
    return [
      {
        field: 'POLICY_FILE',
        message:
          'needs callers that are known: set API_KEYS or APPWRITE_*, or on the sandbox ALLOW_ANONYMOUS=false',
      },
    ];
  if (!isOpen) return [];

  const { HOST: host = '127.0.0.1' } = environment;
  // In a container the sandbox has to listen on every address; it has nothing to protect.
  const isLoopback = environment.SANDBOX === 'true' || isLoopbackHost(host === '::1' ? '[::1]' : host);
  return [
    ...signsOfDeployment(environment).map((sign) => ({
      field: 'API_KEYS',
      message: `is needed with ${sign}, or APPWRITE_* in its place: without either the service is open. Set ALLOW_ANONYMOUS=true only if everybody who reaches it may read and write`,
    })),
    ...(isLoopback
      ? []
      : [
          {
            field: 'HOST',
            message:
              'must be a loopback address while the service is open: set API_KEYS or APPWRITE_*, or ALLOW_ANONYMOUS=true if everybody may read and write',
          },
        ]),
  ];
}

/** Returns the settings that indicate a deployment. A proxy on the same machine can reach loopback too. */
function signsOfDeployment({ NODE_ENV: mode, TRUST_PROXY: proxies = '0' }: Environment): string[] {
  const isProxied = parseTrustProxy(proxies) !== 0;
  return [...(mode === 'production' ? ['NODE_ENV=production'] : []), ...(isProxied ? ['TRUST_PROXY'] : [])];
}

function missing(name: string, because: string): FieldProblem {
  return { field: name, message: `is needed, because ${because} is set` };
}

const KNOWN: ReadonlySet<string> = new Set(
  Object.entries(SETTINGS).flatMap(([name, { isSecret }]) => (isSecret ? [name, `${name}_FILE`] : [name])),
);

/** The families of settings that decide who may do what, and what is written down about it. */
const PROTECTING = /^(?:(?:API|AUDIT|POLICY|PSEUDONYM|SESSION)_|ALLOW)/;

/** What others set: the session manager of a desktop, and Kubernetes for each service of the namespace. */
const FOREIGN =
  /^SESSION_MANAGER$|_SERVICE_HOST$|_SERVICE_PORT(?:_|$)|_PORT$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_|$)/;

/** Whether an environment variable is a setting of this package, or is probably meant as one. */
export function isMeantAsSetting(name: string): boolean {
  return KNOWN.has(name) || /^(CAPTURE|APPWRITE)_/.test(name) || isMeantToProtect(name);
}

/** Whether a name belongs to a family of settings that protect, whether or not there is such a setting. */
function isMeantToProtect(name: string): boolean {
  return PROTECTING.test(name) && !FOREIGN.test(name);
}

/**
 * Refuses a name in a family that protects and that is no setting: with a misspelt `API_KEYS` the service would be open
 * (OPS-09). Other unknown names are only warned of, because the environment is shared with other programs.
 *
 * @param environment the environment of the process
 */
export function unknownProtections(environment: Environment): FieldProblem[] {
  const unknown = Object.keys(environment).filter(
    (name) => isMeantToProtect(name) && !KNOWN.has(name) && environment[name]?.trim() !== '',
  );
  return unknown.map((field) => {
    const meant = nearestName(field, KNOWN);
    const advice =
      meant === undefined
        ? 'remove it, because a misspelt protection would be none'
        : `did you mean ${meant}?`;
    return { field, message: `is not a setting of this package; ${advice}` };
  });
}

/**
 * Returns warnings about valid but risky settings, and about names that are probably misspelt, whose default would
 * otherwise apply silently: one sentence each, without values.
 *
 * @param environment the environment of the process
 * @param given the same environment, as returned by `withSecretFiles`
 */
export function warningsOf(environment: Environment, given: Environment): string[] {
  const unknown = Object.keys(environment)
    .filter((name) => isMeantAsSetting(name) && !KNOWN.has(name))
    .map((name) => `${name} is not a setting of this package: is it misspelled?`);
  return [...openness(given), ...likelyMistakes(given), ...unknown];
}

/** How an operator closes the service. */
const CLOSE = 'To close it, run crf key create and set API_KEYS, or set APPWRITE_* for people who sign in.';

/**
 * Warns if a project can be reached without a credential. The sandbox needs no warning, because it has nothing to
 * protect.
 */
function openness(given: Environment): string[] {
  if (given.ALLOW_ANONYMOUS === 'true')
    return [
      `OPEN: ALLOW_ANONYMOUS=true, so everybody who can reach this server can read and write the project without a credential. ${CLOSE}`,
    ];
  if (given.CAPTURE_API_URL === undefined || !isOpenByDefault(given)) return [];
  return [
    `OPEN: no credential is configured, so every user and program on this machine can read and write the project, and so can everybody whom a proxy lets in. ${CLOSE}`,
  ];
}

/** Returns warnings about valid settings that are probably mistakes. */
export function likelyMistakes({
  LOGIN_URL: loginUrl,
  ALLOWED_DOMAINS_REGEXP: domains,
  REDIS_URL: redisUrl,
}: Environment): string[] {
  const found: string[] = [];
  if (loginUrl !== undefined && !leadsToLogin(loginUrl))
    found.push(
      'LOGIN_URL does not end in /login, where this service answers: the links in the mails lead elsewhere.',
    );
  if (domains !== undefined && hasBareDot(domains))
    found.push(
      'ALLOWED_DOMAINS_REGEXP has a dot that stands for any character, and so admits other domains as well: write \\. for a dot.',
    );
  if (redisUrl !== undefined && isInClear(redisUrl))
    found.push(
      'REDIS_URL begins with redis: and leads to another machine: the password goes over the network in clear. Write rediss: where Redis has TLS.',
    );
  return found;
}

function isInClear(url: string): boolean {
  return URL.canParse(url) && new URL(url).protocol === 'redis:' && !isLoopbackHost(new URL(url).hostname);
}

/** Whether the path ends with that of the sign-in. A proxy may add a prefix. */
function leadsToLogin(url: string): boolean {
  return URL.canParse(url) && new URL(url).pathname.endsWith('/login');
}

/**
 * Whether a pattern has a dot that is neither escaped nor in a class. A dot with a quantifier, such as `.*`, is assumed
 * to mean any character.
 */
function hasBareDot(pattern: string): boolean {
  const withoutEscapesAndClasses = pattern.replace(/\\.|\[(?:\\.|[^\]\\])*\]/gs, 'x');
  return /\.(?![*+?{])/.test(withoutEscapesAndClasses);
}
