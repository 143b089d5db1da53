import { ConfigurationError } from '../errors/operator-errors.js';
import type { FieldProblem } from '../errors/field-problem.js';
import type { ApiToken } from '../identifiers/api-token.js';
import type { ApiUrl } from '../identifiers/api-url.js';
import { accessRules, captureRules, signInRules } from './cross-rules.js';
import { EnvironmentSchema, type ParsedEnvironment } from './environment-schema.js';
import { withSecretFiles, type Environment } from './secret-files.js';
import { Secret } from './secret.js';
import { warningsOf } from './warnings.js';

/** Where sign-in is looked after. */
export interface SignInSettings {
  readonly endpoint: string;
  readonly projectId: string;
  readonly apiKey: Secret;
  readonly loginUrl: string;
  readonly allowedDomainsRegexp: string;
}

/** The configuration of a process, complete and frozen. Safe to show: what is secret prints as such. */
export interface Settings {
  /** The REDCap project; undefined for the sandbox. */
  readonly capture: { readonly url: ApiUrl; readonly token: ApiToken } | undefined;
  /** Appwrite; undefined for the sandbox's own (when `capture` is the sandbox too), or for none. */
  readonly signIn: SignInSettings | undefined;
  /** The domains that may sign in on the sandbox. */
  readonly sandboxDomainsRegexp: string;
  readonly access: {
    /** Nobody is asked for a credential. */
    readonly isOpen: boolean;
    /** Open because nothing else was said: for requests of this machine to this machine. */
    readonly isLoopbackOnly: boolean;
    readonly apiKeys: ParsedEnvironment['API_KEYS'];
    readonly sessionScopes: ParsedEnvironment['SESSION_SCOPES'];
  };
  /** What replicas share; undefined for a process that is alone. */
  readonly redis:
    { readonly url: Secret; readonly keyPrefix: string; readonly timeoutMs: number } | undefined;
  /** Everything else, by the names of the variables. */
  readonly values: ParsedEnvironment;
  /** What is allowed and should be known. */
  readonly warnings: readonly string[];
}

/** The domains that may sign in on the sandbox when nothing is said: a name that no mail can reach. */
export const SANDBOX_DOMAINS_REGEXP = 'example\\.org';

/**
 * Reads the configuration of a server.
 *
 * @param environment the process's own by default: this is the one place that reads it
 * @throws {ConfigurationError} naming everything that is wrong at once, and no value
 */
export function loadSettings(environment: Environment = process.env): Settings {
  return readSettings(environment, accessRules);
}

/**
 * Reads the configuration of a command that calls REDCap and listens on nothing: who may reach the server is no matter of
 * its own, so that `crf export` needs no `API_KEYS` in production.
 *
 * @throws {ConfigurationError} as `loadSettings`
 */
export function loadCommandSettings(environment: Environment = process.env): Settings {
  return readSettings(environment, () => []);
}

function readSettings(
  environment: Environment,
  rulesOfAccess: (environment: Environment) => FieldProblem[],
): Settings {
  const problems: FieldProblem[] = [];
  const given = withSecretFiles(environment, problems);
  const result = EnvironmentSchema.safeParse(given);
  if (!result.success) problems.push(...result.error.issues.map(toProblem));

  // The rules between settings are looked at even when one of them is malformed: all mistakes at once.
  problems.push(...captureRules(given), ...signInRules(given), ...rulesOfAccess(given));
  if (problems.length > 0 || !result.success) throw new ConfigurationError(withoutRepeats(problems));
  return deepFreeze(toSettings(result.data, warningsOf(environment, given)));
}

function toSettings(values: ParsedEnvironment, warnings: readonly string[]): Settings {
  const isAnonymous = values.ALLOW_ANONYMOUS;
  const hasCredentials = values.API_KEYS.length > 0 || values.APPWRITE_ENDPOINT !== undefined;
  const isOpen = isAnonymous === undefined ? !hasCredentials : isAnonymous === 'true';
  return {
    capture:
      values.CAPTURE_API_URL && values.CAPTURE_API_TOKEN
        ? { url: values.CAPTURE_API_URL, token: values.CAPTURE_API_TOKEN }
        : undefined,
    signIn: toSignIn(values),
    sandboxDomainsRegexp: values.ALLOWED_DOMAINS_REGEXP ?? SANDBOX_DOMAINS_REGEXP,
    access: {
      isOpen,
      // Nobody said that it should be open: then it is so for this machine alone.
      isLoopbackOnly: isOpen && isAnonymous === undefined,
      apiKeys: values.API_KEYS,
      sessionScopes: values.SESSION_SCOPES,
    },
    redis:
      values.REDIS_URL === undefined
        ? undefined
        : {
            url: new Secret(values.REDIS_URL),
            keyPrefix: values.REDIS_KEY_PREFIX,
            timeoutMs: values.REDIS_TIMEOUT_MS,
          },
    // A secret stands once, wrapped: not a second time in the open.
    values: { ...values, APPWRITE_API_KEY: undefined, REDIS_URL: undefined },
    warnings,
  };
}

function toSignIn(values: ParsedEnvironment): SignInSettings | undefined {
  const { APPWRITE_ENDPOINT, APPWRITE_PROJECT_ID, APPWRITE_API_KEY, LOGIN_URL, ALLOWED_DOMAINS_REGEXP } =
    values;
  if (APPWRITE_ENDPOINT === undefined) return undefined;
  return {
    endpoint: APPWRITE_ENDPOINT,
    projectId: APPWRITE_PROJECT_ID ?? '',
    apiKey: new Secret(APPWRITE_API_KEY ?? ''),
    loginUrl: LOGIN_URL ?? '',
    allowedDomainsRegexp: ALLOWED_DOMAINS_REGEXP ?? '',
  };
}

function toProblem({
  path,
  message,
}: {
  readonly path: PropertyKey[];
  readonly message: string;
}): FieldProblem {
  return { field: String(path[0]), message };
}

function withoutRepeats(problems: readonly FieldProblem[]): FieldProblem[] {
  return [...new Map(problems.map((problem) => [`${problem.field} ${problem.message}`, problem])).values()];
}

function deepFreeze<T extends object>(value: T): T {
  for (const child of Object.values(value)) {
    if (typeof child === 'object' && child !== null && !Object.isFrozen(child)) deepFreeze(child as object);
  }
  return Object.freeze(value);
}
