import { ConfigurationError } from '../../domain/errors/operator-errors.js';
import { attempt } from '../../domain/identifiers/check-options.js';
import type { FieldProblem } from '../../domain/errors/field-problem.js';
import type { ApiToken } from '../../domain/identifiers/api-token.js';
import type { ApiUrl } from '../../domain/identifiers/api-url.js';
import { accessRules, captureRules, signInRules } from './cross-rules.js';
import { EnvironmentSchema, type ParsedEnvironment } from './environment-schema.js';
import { configuredProjects, type ConfiguredProjects, type ProjectKey } from './projects-file.js';
import { withProject } from './with-project.js';
import { given, withSecretFiles, type Environment, type SecretFile } from './secret-files.js';
import { Secret } from '../../domain/identifiers/secret.js';
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

/** The projects that a process serves. */
export interface ServedProjects extends Pick<ConfiguredProjects, 'default' | 'keys' | 'sessions'> {
  /** The settings of each, by name. Of them, those of the process have no effect. */
  readonly byName: ReadonlyMap<string, Settings>;
}

/** The complete, frozen configuration of a process. It is safe to print, because secrets are redacted. */
export interface Settings {
  /** The projects of `PROJECTS_FILE`; undefined without it. */
  readonly projects: ServedProjects | undefined;
  /** The REDCap project; undefined for the sandbox, and for a process that serves several. */
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
 * Loads the configuration of a server. With `PROJECTS_FILE` it serves all projects of the file, or the one that
 * `CAPTURE_PROJECT` names.
 *
 * @param environment the environment of the process by default, which is read only here
 * @throws {ConfigurationError} names all errors together, without values
 */
export function loadSettings(environment: Environment = process.env): Settings {
  const unknown = unknownProtections(environment);
  if (given(environment.PROJECTS_FILE) !== undefined) return loadServed(environment, unknown);
  return readSettings(environment, { rules: (values) => [...accessRules(values), ...unknown] });
}

/**
 * Loads the configuration of a command, which calls REDCap but does not listen. The access rules do not apply, so that
 * `crf export` needs no `API_KEYS` in production.
 *
 * @throws {ConfigurationError} as `loadSettings`
 */
export function loadCommandSettings(environment: Environment = process.env): Settings {
  return readSettings(environment, {});
}

/**
 * Loads the configuration of a command for one project of `PROJECTS_FILE`.
 *
 * @throws {ConfigurationError} as `loadSettings`
 */
export function loadProjectSettings(name: string, environment: Environment = process.env): Settings {
  return loadCommandSettings({ ...environment, CAPTURE_PROJECT: name });
}

/** What belongs to a project, and is not a setting of a process that serves several. */
const OF_A_PROJECT = {
  PROJECTS_FILE: undefined,
  CAPTURE_PROJECT: undefined,
  POLICY_FILE: undefined,
  CAPTURE_API_URL: undefined,
  CAPTURE_API_TOKEN: undefined,
  CAPTURE_API_TOKEN_FILE: undefined,
};

function loadServed(environment: Environment, problems: readonly FieldProblem[]): Settings {
  const file = configuredProjects(environment);
  const chosen = given(environment.CAPTURE_PROJECT);
  const byName = new Map<string, Settings>();
  const found = [...problems];
  const names = chosen === undefined ? [...file.projects.keys()] : [chosen];
  // The mistakes of the process first, because each project would repeat them.
  const all = readSettings(
    { ...environment, ...OF_A_PROJECT },
    { keys: file.keys, rules: (values) => accessRules(values), isOfSeveral: true },
  );
  for (const name of names) {
    const ofProject = { ...environment, CAPTURE_PROJECT: name };
    const own: FieldProblem[] = [];
    const settings = attempt(() => readSettings(ofProject, { file, keys: file.keys }), own);
    found.push(...own.map((problem) => ofOne(name, problem)));
    if (settings === undefined) continue;
    found.push(...sameToken(name, settings, byName));
    byName.set(name, settings);
  }
  if (all.access.isOpen && [...byName.values()].some(({ values }) => values.POLICY_FILE !== undefined))
    found.push({
      field: 'PROJECTS_FILE',
      message: 'has policies, which need callers that are known: give it keys, or set API_KEYS or APPWRITE_*',
    });
  if (found.length > 0) throw new ConfigurationError(withoutRepeats(found));
  const { keys, sessions } = file;
  const projects = { default: chosen ?? file.default, keys, sessions, byName };
  const files = [...byName.values()].flatMap(({ warnings }) => warnings);
  return Object.freeze({ ...all, projects, warnings: [...new Set([...all.warnings, ...files])] });
}

/** Names the project in the mistake of a setting that it has of its own. */
function ofOne(name: string, { field, message }: FieldProblem): FieldProblem {
  if (field === 'PROJECTS_FILE' || field === 'CAPTURE_PROJECT' || message.includes('PROJECTS_FILE'))
    return { field, message };
  return { field: 'PROJECTS_FILE', message: `projects.${name}: ${field} ${message}` };
}

/** Refuses two names for one token, which the file may keep in two places. */
function sameToken(
  name: string,
  { capture }: Settings,
  others: ReadonlyMap<string, Settings>,
): FieldProblem[] {
  const same = [...others].find(
    ([, other]) =>
      capture !== undefined &&
      other.capture?.url === capture.url &&
      other.capture.token.reveal() === capture.token.reveal(),
  );
  if (same === undefined) return [];
  return [{ field: 'PROJECTS_FILE', message: `projects.${name}: has the same token as ${same[0]}` }];
}

interface ReadOptions {
  /** The rules across settings that apply. */
  readonly rules?: (environment: Environment) => FieldProblem[];
  readonly file?: ConfiguredProjects;
  /** The keys of the file of projects. */
  readonly keys?: readonly ProjectKey[];
  readonly isOfSeveral?: boolean;
}

function readSettings(
  environment: Environment,
  { rules = () => [], file, keys = [], isOfSeveral = false }: ReadOptions,
): Settings {
  const problems: FieldProblem[] = [];
  const secretFiles: SecretFile[] = [];
  const values = withSecretFiles(withProject(environment, problems, file), problems, secretFiles);
  const result = EnvironmentSchema.safeParse(values);
  if (!result.success) problems.push(...result.error.issues.map(toProblem));

  // What the file of projects has counts for the rules like what the environment has.
  const stated = {
    ...values,
    ...(keys.length > 0 && { API_KEYS: values.API_KEYS ?? 'PROJECTS_FILE' }),
    ...(isOfSeveral && { CAPTURE_API_URL: 'PROJECTS_FILE', CAPTURE_API_TOKEN: 'PROJECTS_FILE' }),
  };
  // Rules across settings are checked even if one setting is malformed, to report all mistakes together.
  problems.push(...captureRules(stated), ...signInRules(stated), ...rules(stated));
  if (problems.length > 0 || !result.success) throw new ConfigurationError(withoutRepeats(problems));
  const warnings = warningsOf(environment, stated);
  return deepFreeze({ ...toSettings(result.data, keys), projects: undefined, secretFiles, warnings });
}

function toSettings(
  values: ParsedEnvironment,
  keys: readonly ProjectKey[],
): Omit<Settings, 'projects' | 'secretFiles' | 'warnings'> {
  const isAnonymous = values.ALLOW_ANONYMOUS;
  const hasCredentials = values.API_KEYS.length + keys.length > 0 || values.APPWRITE_ENDPOINT !== undefined;
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
