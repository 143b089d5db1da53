import * as z from 'zod';
import { ConfigurationError } from '../../domain/errors/operator-errors.js';
import { attempt } from '../../domain/identifiers/check-options.js';
import type { FieldProblem } from '../../domain/errors/field-problem.js';
import { SETTINGS } from './all-settings.js';
import { given, withSecretFiles, type Environment, type SecretFile } from './environment.js';
import {
  configuredProjects,
  withProject,
  type ConfiguredProjects,
  type ProjectKey,
} from './projects-file.js';
import {
  accessRules,
  captureRules,
  isOpenByDefault,
  signInRules,
  unknownProtections,
  warningsOf,
} from './rules.js';
import { optionsOf, type OptionsOf } from './setting.js';

/** The projects that a process serves. */
export interface ServedProjects extends Pick<ConfiguredProjects, 'default' | 'keys' | 'sessions'> {
  /** The settings of each, by name. Of them, those of the process have no effect. */
  readonly byName: ReadonlyMap<string, Settings>;
}

type Options = OptionsOf<typeof SETTINGS>;

/** A group of options that are needed together. */
type Whole<Group> = { readonly [Name in keyof Group]: NonNullable<Group[Name]> };

/**
 * The complete, frozen configuration of a process, by the options that it sets (`Setting.option`). It is safe to print,
 * because secrets are redacted.
 */
export interface Settings extends Omit<Options, 'capture' | 'appwrite' | 'redis' | 'admin' | 'app'> {
  readonly app: Omit<Options['app'], 'access'> & {
    readonly access: Options['app']['access'] & { readonly isLoopbackOnly: boolean };
  };
  /** The REDCap project; undefined for the sandbox, and for a process that serves several. */
  readonly capture: Whole<Options['capture']> | undefined;
  /** The projects of `PROJECTS_FILE`; undefined without it. */
  readonly projects: ServedProjects | undefined;
  /**
   * The project in Appwrite. If undefined, the sign-in uses the sandbox's Appwrite together with the REDCap sandbox, or
   * is disabled.
   */
  readonly appwrite: Whole<Options['appwrite']> | undefined;
  /** The Redis that replicas share; undefined for a single process. */
  readonly redis: Whole<Options['redis']> | undefined;
  /** Where operators are answered; undefined for nowhere. */
  readonly admin: Whole<Options['admin']> | undefined;
  /** The files that secrets were read from, to notice when they change. */
  readonly secretFiles: readonly SecretFile[];
  /** Warnings about valid but risky settings. */
  readonly warnings: readonly string[];
}

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
  if (
    all.app.access.allowAnonymous &&
    [...byName.values()].some(({ policyFile }) => policyFile !== undefined)
  )
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

const SCHEMA = z.object(Object.fromEntries(Object.entries(SETTINGS).map(([name, { type }]) => [name, type])));

function readSettings(
  environment: Environment,
  { rules = () => [], file, keys = [], isOfSeveral = false }: ReadOptions,
): Settings {
  const problems: FieldProblem[] = [];
  const secretFiles: SecretFile[] = [];
  const found = withSecretFiles(withProject(environment, problems, file), problems, secretFiles);
  // The image says production; `captureRules` refuses the sandbox beside anything that is.
  const values = found.SANDBOX === 'true' ? { ...found, NODE_ENV: 'development' } : found;
  const result = SCHEMA.safeParse(values);
  if (!result.success)
    problems.push(...result.error.issues.map(({ path, message }) => ({ field: String(path[0]), message })));

  // What the file of projects has counts for the rules like what the environment has.
  const stated: Environment = {
    ...values,
    ...(keys.length > 0 && { API_KEYS: values.API_KEYS ?? 'PROJECTS_FILE' }),
    ...(isOfSeveral && { CAPTURE_API_URL: 'PROJECTS_FILE', CAPTURE_API_TOKEN: 'PROJECTS_FILE' }),
  };
  // Rules across settings are checked even if one setting is malformed, to report all mistakes together.
  problems.push(...captureRules(stated), ...signInRules(stated), ...rules(stated));
  if (problems.length > 0 || !result.success) throw new ConfigurationError(withoutRepeats(problems));
  const warnings = warningsOf(environment, stated);
  const settings = toSettings(result.data, stated);
  return deepFreeze({ ...settings, projects: undefined, secretFiles, warnings });
}

/** Makes options of what was parsed, where groups that are not set are undefined. */
function toSettings(parsed: Readonly<Record<string, unknown>>, stated: Environment) {
  const isLoopbackOnly = isOpenByDefault(stated);
  const options = optionsOf(SETTINGS, parsed, {
    isProduction: stated.NODE_ENV === 'production',
    isSandbox: stated.CAPTURE_API_URL === undefined,
    isOpen: isLoopbackOnly || stated.ALLOW_ANONYMOUS === 'true',
  });
  const { app, project, client } = options;
  // An import leaves at least half of the client's calls to others.
  const most = Math.max(1, Math.floor(client.resilience.concurrency / 2));
  const imports = { ...project.imports, concurrency: Math.min(project.imports.concurrency, most) };
  return {
    ...options,
    // Nobody has opened it explicitly, so it is open only to this machine.
    app: { ...app, access: { ...app.access, isLoopbackOnly } },
    project: { ...project, imports },
    capture: whole(options.capture),
    appwrite: whole(options.appwrite),
    redis: whole(options.redis),
    admin: whole(options.admin),
  };
}

function whole<Group extends object>(group: Group): Whole<Group> | undefined {
  return Object.values(group).includes(undefined) ? undefined : (group as Whole<Group>);
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
