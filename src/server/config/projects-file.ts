import { accessSync, constants, readFileSync } from 'node:fs';
import { dirname, normalize, resolve } from 'node:path';
import * as z from 'zod';
import { isAccepted, strictObject } from '../../domain/identifiers/check-options.js';
import type { FieldProblem } from '../../domain/errors/field-problem.js';
import { nearestName } from '../../domain/identifiers/nearest-name.js';
import { ConfigurationError } from '../../domain/errors/operator-errors.js';
import { readYaml, type YamlIssue } from '../../domain/bytes/read-yaml.js';
import { API_URL_RULE, ApiUrl } from '../../domain/identifiers/api-url.js';
import {
  PROJECT_NAME,
  PROJECT_NAME_RULE,
  isTimeZone,
  TIME_ZONE_RULE,
} from '../../domain/identifiers/setting-forms.js';
import { SCOPES } from '../../domain/identifiers/scope.js';
import { endOfDay } from './value-types.js';
import { given, type Environment } from './environment.js';

const text = (rule: string) => z.string({ error: rule }).min(1, rule);
const NAME = z.string({ error: PROJECT_NAME_RULE }).regex(PROJECT_NAME, PROJECT_NAME_RULE);
const NAMES = z.array(NAME, 'must be a list of names of projects').min(1, 'must name a project');
const SCOPES_RULE = `must be a list of scopes: ${SCOPES.join(', ')}`;
const scopes = z.array(z.enum(SCOPES, { error: SCOPES_RULE }), SCOPES_RULE);
const day = z.iso.date({ error: 'must be a date, as in 2026-01-31' });
const count = (most: number) => {
  const rule = `must be a whole number from 1 to ${most}`;
  return z.int({ error: rule }).min(1, rule).max(most, rule);
};

const SOURCE_RULE = 'must have url with either tokenFile or tokenEnv, or else sandbox';

const ProjectEntry = strictObject(
  {
    url: z.string({ error: API_URL_RULE }).refine(isAccepted(ApiUrl), API_URL_RULE).optional(),
    tokenFile: text('must be the path of a file that holds the token').optional(),
    tokenEnv: z
      .string({ error: 'must be the name of an environment variable' })
      .regex(/^[A-Za-z_]\w*$/, 'must be the name of an environment variable, not a token')
      .optional(),
    sandbox: z.enum(['classic', 'longitudinal'], { error: 'must be classic or longitudinal' }).optional(),
    timeZone: z.string({ error: TIME_ZONE_RULE }).refine(isTimeZone, TIME_ZONE_RULE).optional(),
    recordIdMinLength: count(100).optional(),
    policy: text('must be the path of a policy file').optional(),
    study: text('must be the path of the file of the study').optional(),
  },
  'a property',
).refine(
  ({ url, tokenFile, tokenEnv, sandbox }) => {
    const hasOneToken = (tokenFile === undefined) !== (tokenEnv === undefined);
    const hasNone = tokenFile === undefined && tokenEnv === undefined;
    return url === undefined ? sandbox !== undefined && hasNone : sandbox === undefined && hasOneToken;
  },
  { error: SOURCE_RULE },
);

const DIGEST_RULE = 'must be 64 hexadecimal digits, as crf key create prints them';

const KeyEntry = strictObject(
  {
    name: z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, 'must have 1 to 64 of A-Z, a-z, 0-9, ., _ and -'),
    sha256: z
      .string({ error: DIGEST_RULE })
      .regex(/^[0-9a-fA-F]{64}$/, DIGEST_RULE)
      .transform((digest) => digest.toLowerCase()),
    projects: NAMES,
    scopes,
    expires: day.optional(),
  },
  'a property',
).transform(({ expires, ...key }) => {
  const expiresAt = expires === undefined ? undefined : endOfDay(expires);
  return { ...key, ...(expiresAt && { expiresAt }) };
});

const ADDRESS_RULE = 'must be an address in lower case, in which one * may stand for anything';

const SessionEntry = strictObject(
  {
    email: z.string({ error: ADDRESS_RULE }).regex(/^(?=.)[^*\sA-Z]*\*?[^*\sA-Z]*$/, ADDRESS_RULE),
    projects: NAMES,
    scopes,
  },
  'a property',
);

const ProjectsSchema = strictObject(
  {
    version: z.literal(1, { error: 'must be 1' }),
    default: text('must be the name of a project').optional(),
    projects: z
      .record(NAME, ProjectEntry, { error: 'must have projects by name' })
      .refine((projects) => Object.keys(projects).length > 0, 'must have at least one project'),
    keys: z.array(KeyEntry, 'must be a list of keys').default([]),
    sessions: z.array(SessionEntry, 'must be a list of addresses').optional(),
  },
  'a property',
);

/** One project of `PROJECTS_FILE`. The token is in a file or in an environment variable, never in the file of projects. */
export type ProjectEntry = z.output<typeof ProjectEntry>;

/** An API key of `PROJECTS_FILE`, with its projects. */
export type ProjectKey = z.output<typeof KeyEntry>;

/** The projects of `PROJECTS_FILE`, in their order. */
export interface ConfiguredProjects {
  /** The path of the file, to whose folder paths in it are relative. */
  readonly path: string;
  /** The project that is used if none is named. */
  readonly default: string | undefined;
  readonly projects: ReadonlyMap<string, ProjectEntry>;
  readonly keys: readonly ProjectKey[];
  /** Who of the signed-in people has which projects; undefined if the file does not say. */
  readonly sessions: readonly z.output<typeof SessionEntry>[] | undefined;
}

/**
 * Reads the file of projects that `PROJECTS_FILE` names.
 *
 * @param environment the environment of the process by default
 * @throws {ConfigurationError} names every mistake with its line and its rule, never a value
 */
export function configuredProjects(environment: Environment = process.env): ConfiguredProjects {
  const path = given(environment.PROJECTS_FILE);
  if (path === undefined)
    throw new ConfigurationError([{ field: 'PROJECTS_FILE', message: 'is needed: it lists the projects' }]);
  const read = readProjects(path);
  if (Array.isArray(read)) throw new ConfigurationError(read);
  return read;
}

/** Tells whether the settings mean one project: without `PROJECTS_FILE`, or with one that is named. */
export function choosesProject(environment: Environment = process.env): boolean {
  return given(environment.PROJECTS_FILE) === undefined || given(environment.CAPTURE_PROJECT) !== undefined;
}

/** Reads the file of projects. @returns it, or its mistakes */
function readProjects(path: string): ConfiguredProjects | FieldProblem[] {
  let source: Uint8Array;
  try {
    source = readFileSync(path);
  } catch {
    return [{ field: 'PROJECTS_FILE', message: 'names a file that cannot be read' }];
  }
  try {
    const { projects, ...data } = readYaml(source, ProjectsSchema, contradictions);
    return {
      ...data,
      path,
      default: data.default,
      projects: new Map(Object.entries(projects)),
      sessions: data.sessions,
    };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.errors.map(({ field, message }) => ({
      field: 'PROJECTS_FILE',
      message: `${field}: ${message}`,
    }));
  }
}

/** Returns what is wrong with several entries together: a name that does not exist, two names for one token. */
function contradictions(file: z.output<typeof ProjectsSchema>): YamlIssue[] {
  const found: YamlIssue[] = [];
  const names = Object.keys(file.projects);
  const refuseUnknown = (name: string | undefined, path: PropertyKey[]): void => {
    if (name === undefined || names.includes(name)) return;
    const meant = nearestName(name, names);
    const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
    found.push({ path, message: `is not one of the projects${hint}` });
  };
  const refuseSame = (
    owners: Map<string, string>,
    owner: string,
    same: string,
    path: PropertyKey[],
    what = String(path[0]).slice(0, -1),
  ): void => {
    const first = owners.get(same);
    if (first === undefined) owners.set(same, owner);
    else found.push({ path, message: `is the same ${what} as ${first}` });
  };
  refuseUnknown(file.default, ['default']);
  const tokens = new Map<string, string>();
  for (const [name, { url, tokenFile, tokenEnv }] of Object.entries(file.projects))
    if (url !== undefined)
      refuseSame(tokens, name, JSON.stringify([ApiUrl(url), tokenFile, tokenEnv]), ['projects', name]);
  const policies = new Map<string, string>();
  const ofOne = 'policy file, whose lock is for one project,';
  for (const [name, { policy }] of Object.entries(file.projects))
    if (policy !== undefined)
      refuseSame(policies, name, normalize(policy), ['projects', name, 'policy'], ofOne);
  const digests = new Map<string, string>();
  for (const [at, { name, sha256, projects }] of file.keys.entries()) {
    refuseSame(digests, name, sha256, ['keys', at]);
    for (const [of, project] of projects.entries()) refuseUnknown(project, ['keys', at, 'projects', of]);
  }
  for (const [at, { projects }] of (file.sessions ?? []).entries())
    for (const [of, project] of projects.entries()) refuseUnknown(project, ['sessions', at, 'projects', of]);
  return found;
}

/** What the settings have where `PROJECTS_FILE` chooses the project. */
const OF_ONE_PROJECT = ['CAPTURE_API_URL', 'CAPTURE_API_TOKEN', 'CAPTURE_API_TOKEN_FILE'];

/**
 * Replaces `PROJECTS_FILE` and `CAPTURE_PROJECT` by the settings of the project that they choose. A path in the file is
 * relative to its folder. What the file does not set is left to the environment, for all projects alike.
 *
 * @param problems receives the mistakes, by name of the setting
 * @param file what was read of the file, for several projects of it; by default it is read
 */
export function withProject(
  environment: Environment,
  problems: FieldProblem[],
  file?: ConfiguredProjects,
): Environment {
  const refuse = (field: string, message: string): Environment => {
    problems.push({ field, message });
    return environment;
  };
  const [path, named] = [given(environment.PROJECTS_FILE), given(environment.CAPTURE_PROJECT)];
  if (path === undefined)
    return named === undefined
      ? environment
      : refuse('CAPTURE_PROJECT', 'needs PROJECTS_FILE, which lists the projects');
  const read = file ?? readProjects(path);
  if (Array.isArray(read)) {
    problems.push(...read);
    return environment;
  }
  const name = named ?? read.default;
  const project = name === undefined ? undefined : read.projects.get(name);
  if (project === undefined)
    return refuse('CAPTURE_PROJECT', unknownProject(named, [...read.projects.keys()]));
  const { url, tokenFile, tokenEnv, timeZone, recordIdMinLength, policy, sandbox, study } = project;
  for (const other of OF_ONE_PROJECT)
    if (other !== tokenEnv && given(environment[other]) !== undefined)
      refuse(other, 'must not be set together with PROJECTS_FILE');
  if (tokenEnv !== undefined && given(environment[tokenEnv]) === undefined)
    refuse(tokenEnv, `is needed: PROJECTS_FILE names it for ${name}`);
  const pathOf = (file: string | undefined) => file && resolve(dirname(path), file);
  const files = { tokenFile: pathOf(tokenFile), policy: pathOf(policy) };
  const unreadable = Object.entries(files).filter(([, file]) => file !== undefined && !isReadable(file));
  for (const [key] of unreadable)
    refuse('PROJECTS_FILE', `projects.${name}.${key}: names a file that cannot be read`);
  if (unreadable.length > 0) return environment;
  const own: Environment = {
    CAPTURE_TIME_ZONE: timeZone,
    RECORD_ID_MIN_LENGTH: recordIdMinLength?.toString(),
    POLICY_FILE: files.policy,
    SANDBOX_STUDY: sandbox,
    STUDY_FILE: pathOf(study),
  };
  return {
    ...environment,
    CAPTURE_PROJECT: name,
    CAPTURE_API_URL: url,
    CAPTURE_API_TOKEN: tokenEnv && environment[tokenEnv],
    CAPTURE_API_TOKEN_FILE: files.tokenFile,
    ...Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)),
  };
}

function unknownProject(named: string | undefined, names: readonly string[]): string {
  const listed = `${names.slice(0, 5).join(', ')}${names.length > 5 ? ' …' : ''}`;
  if (named === undefined) return `is needed, because PROJECTS_FILE has no default: ${listed}`;
  const meant = nearestName(named, names);
  return `names no project of PROJECTS_FILE${meant === undefined ? `: ${listed}` : `; did you mean ${meant}?`}`;
}

const isReadable = isAccepted((path: string) => accessSync(path, constants.R_OK));
