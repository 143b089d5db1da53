import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { decodeText } from '../../domain/bytes/decode-text.js';
import { ConfigurationError } from '../../domain/errors/operator-errors.js';
import { isMeantAsSetting } from './rules.js';

/** The sources of settings other than environment variables. */
export interface EnvironmentOptions {
  /**
   * The `--env-file` options, read instead of `.env`. A later file overrides an earlier one, and every file must exist.
   */
  readonly envFiles?: readonly string[] | undefined;
  /** Removes the settings of REDCap and the sign-in, so that the sandbox is used. */
  readonly isSandbox?: boolean;
  /** The `--projects-file` option, which replaces `PROJECTS_FILE`. */
  readonly projectsFile?: string | undefined;
  /** The `--project` option, which replaces `CAPTURE_PROJECT`. */
  readonly project?: string | undefined;
}

const DEFAULT_FILE = '.env';

/**
 * Adds the settings of `.env`, or of the named files, to the environment. As with Node's own `--env-file`, existing
 * variables take precedence. Only settings of this package are read, because the current folder may belong to another
 * project.
 *
 * @param environment the environment of the process by default
 * @returns one line that lists what was read; undefined if nothing was
 * @throws {ConfigurationError} a file cannot be read
 */
export function prepareEnvironment(
  { envFiles, isSandbox = false, projectsFile, project }: EnvironmentOptions,
  environment: NodeJS.ProcessEnv = process.env,
): string | undefined {
  const notice = addSettings(envFiles, environment);
  if (projectsFile !== undefined) environment.PROJECTS_FILE = projectsFile;
  if (project !== undefined) environment.CAPTURE_PROJECT = project;
  if (!isSandbox) return notice;
  for (const name of Object.keys(environment).filter(isOfAProject)) Reflect.deleteProperty(environment, name);
  return undefined;
}

function addSettings(
  files: readonly string[] | undefined,
  environment: NodeJS.ProcessEnv,
): string | undefined {
  const read = files?.map((file) => readFile(file, true)) ?? [readFile(DEFAULT_FILE, false)];
  const settings = Object.entries(Object.assign({}, ...read) as NodeJS.Dict<string>).filter(([name]) =>
    isMeantAsSetting(name),
  );
  if (settings.length === 0) return undefined;

  const overridden = settings.filter(
    ([name, value]) => environment[name] !== undefined && environment[name] !== value,
  );
  for (const [name, value] of settings) environment[name] ??= value;
  const names = settings
    .map(([name]) => name)
    .filter((name) => !overridden.some(([other]) => other === name));
  return [
    `Settings from ${(files ?? [DEFAULT_FILE]).join(', ')}: ${listed(names)}.`,
    ...(overridden.length === 0
      ? []
      : [`The environment overrides ${listed(overridden.map(([name]) => name))}.`]),
  ].join(' ');
}

/**
 * Reads a file that was named, or `.env`, which need not exist. A folder of that name is ignored.
 *
 * @throws {ConfigurationError} the file cannot be read, or is not UTF-8
 */
function readFile(file: string, isNamed: boolean): NodeJS.Dict<string> {
  try {
    const text = decodeText(readFileSync(file));
    if (typeof text === 'string') return parseEnv(text);
    throw new ConfigurationError([{ field: file, ...text }]);
  } catch (cause) {
    if (cause instanceof ConfigurationError) throw cause;
    const isAbsent = ['ENOENT', 'EISDIR'].includes((cause as NodeJS.ErrnoException).code ?? '');
    if (!isNamed && isAbsent) return {};
    const problem = isNamed
      ? { field: '--env-file', message: 'must name a file that can be read' }
      : { field: file, message: 'cannot be read' };
    throw new ConfigurationError([problem], { cause });
  }
}

/** The maximum number of listed names. The rest are counted. */
const MAX_NAMES = 4;

function listed(names: readonly string[]): string {
  if (names.length === 0) return 'nothing';
  const more = names.length - MAX_NAMES;
  return `${names.slice(0, MAX_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function isOfAProject(name: string): boolean {
  return /^(CAPTURE_API|APPWRITE)_|^(CAPTURE_PROJECT|PROJECTS_FILE|LOGIN_URL)$/.test(name);
}
