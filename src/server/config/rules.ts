import type { FieldProblem } from '../../domain/errors/field-problem.js';
import {
  isLoopbackHost,
  IDENTITY_ENDPOINT_RULE,
  LOGIN_URL_RULE,
  toIdentityEndpoint,
  toLoginUrl,
} from '../../domain/identifiers/api-url.js';
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

/** Requires a complete REDCap configuration or none, and refuses the sandbox in production. */
export function captureRules(environment: Environment): FieldProblem[] {
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
  const isLoopback = isLoopbackHost(host === '::1' ? '[::1]' : host);
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
