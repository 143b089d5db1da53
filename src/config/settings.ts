import { ConfigurationError } from '../errors/operator-errors.js';
import type { FieldProblem } from '../errors/field-problem.js';
import type { ApiToken } from '../identifiers/api-token.js';
import type { ApiUrl } from '../identifiers/api-url.js';
import { accessRules, captureRules, signInRules } from './cross-rules.js';
import { EnvironmentSchema, type ParsedEnvironment } from './environment-schema.js';
import { withProject } from './projects-file.js';
import { withSecretFiles, type Environment, type SecretFile } from './secret-files.js';
import { Secret } from '../identifiers/secret.js';
import { unknownProtections } from './setting-names.js';
import { warningsOf } from './warnings.js';

/** The settings of the sign-in. */
export interface SignInSettings {
  readonly endpoint: string;
  readonly projectId: string;
  readonly apiKey: Secret;
  readonly loginUrl: string;
  readonly allowedDomainsRegexp: string;
}

/** The complete, frozen configuration of a process. It is safe to print, because secrets are redacted. */
export interface Settings {
  /** The REDCap project; undefined for the sandbox. */
  readonly capture: { readonly url: ApiUrl; readonly token: ApiToken } | undefined;
  /**
   * The Appwrite settings. If undefined, the sign-in uses the sandbox's Appwrite together with the REDCap sandbox, or
   * is disabled.
   */
  readonly signIn: SignInSettings | undefined;
  /** The domains that may sign in on the sandbox. */
  readonly sandboxDomainsRegexp: string;
  readonly access: {
    /** Whether no credential is required. */
    readonly isOpen: boolean;
    /**
     * Whether the service is open only because nothing else is configured, and is therefore restricted to this machine.
     */
    readonly isLoopbackOnly: boolean;
    readonly apiKeys: ParsedEnvironment['API_KEYS'];
    readonly sessionScopes: ParsedEnvironment['SESSION_SCOPES'];
  };
  /** The operator's own key of pseudonyms; by default it is derived from other secrets. */
  readonly pseudonymKey: Secret | undefined;
  /** The key with which `crf import` encrypts its undo files. */
  readonly undoKey: Secret | undefined;
  /** The key of pseudonyms of record ids for policies that de-identify, as hexadecimal digits. */
  readonly recordKey: Secret | undefined;
  /** The Redis that replicas share; undefined for a single process. */
  readonly redis:
    { readonly url: Secret; readonly keyPrefix: string; readonly timeoutMs: number } | undefined;
  /** All other settings, by variable name. */
  readonly values: ParsedEnvironment;
  /** The files that secrets were read from, to notice when they change. */
  readonly secretFiles: readonly SecretFile[];
  /** Warnings about valid but risky settings. */
  readonly warnings: readonly string[];
}

/** The default domain of addresses that may sign in on the sandbox. No email can reach it. */
export const SANDBOX_DOMAINS_REGEXP = 'example\\.org';

/**
 * Loads the configuration of a server.
 *
 * @param environment the environment of the process by default, which is read only here
 * @throws {ConfigurationError} names all errors together, without values
 */
export function loadSettings(environment: Environment = process.env): Settings {
  return readSettings(environment, (given) => [...accessRules(given), ...unknownProtections(environment)]);
}

/**
 * Loads the configuration of a command, which calls REDCap but does not listen. The access rules do not apply, so that
 * `crf export` needs no `API_KEYS` in production.
 *
 * @throws {ConfigurationError} as `loadSettings`
 */
export function loadCommandSettings(environment: Environment = process.env): Settings {
  return readSettings(environment, () => []);
}

/**
 * Loads the configuration of a command for one project of `PROJECTS_FILE`.
 *
 * @throws {ConfigurationError} as `loadSettings`
 */
export function loadProjectSettings(name: string, environment: Environment = process.env): Settings {
  return loadCommandSettings({ ...environment, CAPTURE_PROJECT: name });
}

function readSettings(
  environment: Environment,
  rulesOfAccess: (environment: Environment) => FieldProblem[],
): Settings {
  const problems: FieldProblem[] = [];
  const secretFiles: SecretFile[] = [];
  const given = withSecretFiles(withProject(environment, problems), problems, secretFiles);
  const result = EnvironmentSchema.safeParse(given);
  if (!result.success) problems.push(...result.error.issues.map(toProblem));

  // Rules across settings are checked even if one setting is malformed, to report all mistakes together.
  problems.push(...captureRules(given), ...signInRules(given), ...rulesOfAccess(given));
  if (problems.length > 0 || !result.success) throw new ConfigurationError(withoutRepeats(problems));
  return deepFreeze({ ...toSettings(result.data), secretFiles, warnings: warningsOf(environment, given) });
}

function toSettings(values: ParsedEnvironment): Omit<Settings, 'secretFiles' | 'warnings'> {
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
      // Nobody has opened it explicitly, so it is open only to this machine.
      isLoopbackOnly: isOpen && isAnonymous === undefined,
      apiKeys: values.API_KEYS,
      sessionScopes: values.SESSION_SCOPES,
    },
    pseudonymKey:
      values.AUDIT_PSEUDONYM_KEY === undefined ? undefined : new Secret(values.AUDIT_PSEUDONYM_KEY),
    undoKey: values.CRF_UNDO_KEY === undefined ? undefined : new Secret(values.CRF_UNDO_KEY),
    recordKey: values.PSEUDONYM_KEY === undefined ? undefined : new Secret(values.PSEUDONYM_KEY),
    redis:
      values.REDIS_URL === undefined
        ? undefined
        : {
            url: new Secret(values.REDIS_URL),
            keyPrefix: values.REDIS_KEY_PREFIX,
            timeoutMs: values.REDIS_TIMEOUT_MS,
          },
    // Secrets are only kept in wrapped form.
    values: {
      ...values,
      APPWRITE_API_KEY: undefined,
      AUDIT_PSEUDONYM_KEY: undefined,
      CRF_UNDO_KEY: undefined,
      PSEUDONYM_KEY: undefined,
      REDIS_URL: undefined,
    },
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
