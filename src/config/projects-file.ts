import { accessSync, constants, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isMap, isScalar, LineCounter, parseDocument, type Document } from 'yaml';
import * as z from 'zod';
import type { FieldProblem } from '../errors/field-problem.js';
import { nearestName } from '../errors/nearest-name.js';
import { ConfigurationError } from '../errors/operator-errors.js';
import { API_URL_RULE, ApiUrl } from '../identifiers/api-url.js';
import { isTimeZone, TIME_ZONE_RULE } from '../identifiers/time-zone.js';
import { given, type Environment } from './secret-files.js';

const NAME_RULE = 'must begin with a lower-case letter and have up to 32 of a-z, 0-9, - and _';

const text = (rule: string) => z.string({ error: rule }).min(1, rule);

const ProjectEntry = z
  .strictObject(
    {
      url: z.string({ error: API_URL_RULE }).refine(isApiUrl, API_URL_RULE),
      tokenFile: text('must be the path of a file that holds the token').optional(),
      tokenEnv: z
        .string({ error: 'must be the name of an environment variable' })
        .regex(/^[A-Za-z_]\w*$/, 'must be the name of an environment variable, not a token')
        .optional(),
      study: text('must be the path of the file of the study').optional(),
      timeZone: z.string({ error: TIME_ZONE_RULE }).refine(isTimeZone, TIME_ZONE_RULE).optional(),
      recordIdMinLength: z.int({ error: 'must be a whole number from 1 to 100' }).min(1).max(100).optional(),
    },
    { error: 'must have url, and tokenFile or tokenEnv' },
  )
  .refine(({ tokenFile, tokenEnv }) => (tokenFile === undefined) !== (tokenEnv === undefined), {
    error: 'must have either tokenFile or tokenEnv',
  });

const ProjectsSchema = z.strictObject(
  {
    version: z.literal(1, { error: 'must be 1' }),
    default: text('must be the name of a project').optional(),
    projects: z
      .record(z.string().regex(/^[a-z][a-z0-9_-]{0,31}$/), ProjectEntry, {
        error: 'must have projects by name',
      })
      .refine((projects) => Object.keys(projects).length > 0, 'must have at least one project'),
  },
  { error: 'must have version and projects' },
);

/** One project of `PROJECTS_FILE`. The token is in a file or in an environment variable, never in the file of projects. */
export type ProjectEntry = z.output<typeof ProjectEntry>;

/** The projects of `PROJECTS_FILE`, in their order. */
export interface ConfiguredProjects {
  /** The project that is used if none is named. */
  readonly default: string | undefined;
  readonly projects: ReadonlyMap<string, ProjectEntry>;
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

/**
 * Replaces `PROJECTS_FILE` and `CAPTURE_PROJECT` by the settings of the project that they choose. A path in the file is
 * relative to its folder. What the file does not set is left to the environment, for all projects alike.
 *
 * @param problems receives the mistakes, by name of the setting
 */
export function withProject(environment: Environment, problems: FieldProblem[]): Environment {
  const [path, named] = [given(environment.PROJECTS_FILE), given(environment.CAPTURE_PROJECT)];
  if (path === undefined) {
    if (named !== undefined)
      problems.push({ field: 'CAPTURE_PROJECT', message: 'needs PROJECTS_FILE, which lists the projects' });
    return environment;
  }
  const read = readProjects(path);
  if (Array.isArray(read)) {
    problems.push(...read);
    return environment;
  }
  const name = named ?? read.default;
  const project = name === undefined ? undefined : read.projects.get(name);
  if (project === undefined) {
    problems.push({ field: 'CAPTURE_PROJECT', message: unknownProject(named, [...read.projects.keys()]) });
    return environment;
  }
  const { url, tokenFile, tokenEnv, study, timeZone, recordIdMinLength } = project;
  const others = ['CAPTURE_API_URL', 'CAPTURE_API_TOKEN', 'CAPTURE_API_TOKEN_FILE'].filter(
    (other) => other !== tokenEnv && given(environment[other]) !== undefined,
  );
  problems.push(
    ...others.map((field) => ({ field, message: 'must not be set together with PROJECTS_FILE' })),
  );
  if (tokenEnv !== undefined && given(environment[tokenEnv]) === undefined)
    problems.push({ field: tokenEnv, message: `is needed: PROJECTS_FILE names it for ${name}` });
  const tokenPath = tokenFile === undefined ? undefined : resolve(dirname(path), tokenFile);
  if (tokenPath !== undefined && !isReadable(tokenPath)) {
    const message = `projects.${name}.tokenFile: names a file that cannot be read`;
    problems.push({ field: 'PROJECTS_FILE', message });
    return environment;
  }
  return {
    ...environment,
    CAPTURE_API_URL: url,
    CAPTURE_API_TOKEN: tokenEnv === undefined ? undefined : environment[tokenEnv],
    CAPTURE_API_TOKEN_FILE: tokenPath,
    ...(study !== undefined && { STUDY_FILE: resolve(dirname(path), study) }),
    ...(timeZone !== undefined && { CAPTURE_TIME_ZONE: timeZone }),
    ...(recordIdMinLength !== undefined && { RECORD_ID_MIN_LENGTH: String(recordIdMinLength) }),
  };
}

function unknownProject(named: string | undefined, names: readonly string[]): string {
  const listed = `${names.slice(0, 5).join(', ')}${names.length > 5 ? ' …' : ''}`;
  if (named === undefined) return `is needed, because PROJECTS_FILE has no default: ${listed}`;
  const meant = nearestName(named, names);
  return `names no project of PROJECTS_FILE${meant === undefined ? `: ${listed}` : `; did you mean ${meant}?`}`;
}

function readProjects(path: string): ConfiguredProjects | FieldProblem[] {
  let source: string;
  try {
    source = readFileSync(path, 'utf8');
  } catch {
    return [{ field: 'PROJECTS_FILE', message: 'names a file that cannot be read' }];
  }
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines });
  // The parser's messages quote the file.
  if (document.errors.length > 0)
    return document.errors.map(({ pos: [at], code }) =>
      problemAt(
        lines.linePos(at).line,
        [],
        code === 'DUPLICATE_KEY' ? 'repeats a name of the same level' : 'is not valid YAML',
      ),
    );
  const place = (path: readonly PropertyKey[]): number => lines.linePos(offsetOf(document, path)).line;
  const { data, error } = ProjectsSchema.safeParse(toValue(document));
  if (data === undefined) return error.issues.flatMap((issue) => toProblems(issue, place));
  const problems = contradictions(data).map(([path, rule]) => problemAt(place(path), path, rule));
  return problems.length > 0
    ? problems
    : { default: data.default, projects: new Map(Object.entries(data.projects)) };
}

/** Returns the content, or undefined if its references cannot be resolved, such as those that would fill the memory. */
function toValue(document: Document): unknown {
  try {
    return document.toJS();
  } catch {
    return undefined;
  }
}

type Place = (path: readonly PropertyKey[]) => number;

function toProblems(issue: z.core.$ZodIssue, place: Place): FieldProblem[] {
  const { path } = issue;
  if (issue.code === 'invalid_key') return [problemAt(place(path), path, NAME_RULE)];
  if (issue.code !== 'unrecognized_keys') return [problemAt(place(path), path, issue.message)];
  const known = Object.keys(path.length === 0 ? ProjectsSchema.shape : ProjectEntry.shape);
  return issue.keys.map((key) => {
    const meant = nearestName(key, known);
    const rule = meant === undefined ? `is not one of ${known.join(', ')}` : `did you mean ${meant}?`;
    return problemAt(place([...path, key]), [...path, key], rule);
  });
}

/** Returns what is wrong with several entries together: a default that does not exist, two names for one token. */
function contradictions(file: z.output<typeof ProjectsSchema>): [path: string[], rule: string][] {
  const found: [string[], string][] = [];
  const names = Object.keys(file.projects);
  if (file.default !== undefined && !names.includes(file.default)) {
    const meant = nearestName(file.default, names);
    found.push([
      ['default'],
      `is not one of the projects${meant === undefined ? '' : `; did you mean ${meant}?`}`,
    ]);
  }
  const owners = new Map<string, string>();
  for (const [name, { url, tokenFile, tokenEnv }] of Object.entries(file.projects)) {
    const token = JSON.stringify([ApiUrl(url), tokenFile, tokenEnv]);
    const owner = owners.get(token);
    if (owner === undefined) owners.set(token, name);
    else found.push([['projects', name], `is the same project as ${owner}`]);
  }
  return found;
}

function problemAt(line: number, path: readonly PropertyKey[], rule: string): FieldProblem {
  const name = path.length === 0 ? '' : `, ${path.map(String).join('.')}`;
  return { field: 'PROJECTS_FILE', message: `line ${line}${name}: ${rule}` };
}

/** Returns where the name at the end of a path stands in the file, or the last part of the path that is there. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  let node: unknown = document.contents;
  let offset = 0;
  for (const name of path) {
    const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && key.value === name) : undefined;
    if (pair === undefined) break;
    if (isScalar(pair.key)) offset = pair.key.range?.[0] ?? offset;
    node = pair.value;
  }
  return offset;
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

function isApiUrl(url: string): boolean {
  try {
    ApiUrl(url);
    return true;
  } catch {
    return false;
  }
}
