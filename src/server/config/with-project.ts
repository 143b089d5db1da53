import { accessSync, constants } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { FieldProblem } from '../../domain/errors/field-problem.js';
import { nearestName } from '../../domain/identifiers/nearest-name.js';
import { readProjects, type ConfiguredProjects } from './projects-file.js';
import { given, type Environment } from './environment.js';

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
  const [path, named] = [given(environment.PROJECTS_FILE), given(environment.CAPTURE_PROJECT)];
  if (path === undefined) {
    if (named !== undefined)
      problems.push({ field: 'CAPTURE_PROJECT', message: 'needs PROJECTS_FILE, which lists the projects' });
    return environment;
  }
  const read = file ?? readProjects(path);
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
  const { url, tokenFile, tokenEnv, timeZone, recordIdMinLength, policy, sandbox, study } = project;
  const others = ['CAPTURE_API_URL', 'CAPTURE_API_TOKEN', 'CAPTURE_API_TOKEN_FILE'].filter(
    (other) => other !== tokenEnv && given(environment[other]) !== undefined,
  );
  problems.push(
    ...others.map((field) => ({ field, message: 'must not be set together with PROJECTS_FILE' })),
  );
  if (tokenEnv !== undefined && given(environment[tokenEnv]) === undefined)
    problems.push({ field: tokenEnv, message: `is needed: PROJECTS_FILE names it for ${name}` });
  const pathOf = (file: string | undefined) =>
    file === undefined ? undefined : resolve(dirname(path), file);
  const files = { tokenFile: pathOf(tokenFile), policy: pathOf(policy) };
  const unreadable = Object.entries(files).filter(([, file]) => file !== undefined && !isReadable(file));
  for (const [key] of unreadable)
    problems.push({
      field: 'PROJECTS_FILE',
      message: `projects.${name}.${key}: names a file that cannot be read`,
    });
  if (unreadable.length > 0) return environment;
  const own: Environment = {
    CAPTURE_TIME_ZONE: timeZone,
    RECORD_ID_MIN_LENGTH: recordIdMinLength === undefined ? undefined : String(recordIdMinLength),
    POLICY_FILE: files.policy,
    SANDBOX_STUDY: sandbox,
    STUDY_FILE: pathOf(study),
  };
  return {
    ...environment,
    CAPTURE_PROJECT: name,
    CAPTURE_API_URL: url,
    CAPTURE_API_TOKEN: tokenEnv === undefined ? undefined : environment[tokenEnv],
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

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
