import type { Express } from 'express';
import type { Logger } from 'pino';
import { replaceProjects, replaceStudy } from '../app/app.js';
import type { ApiKeySetting } from './config/value-types.js';
import type { Settings } from './config/settings.js';
import { CrfError } from '../domain/errors/crf-error.js';
import type { FieldProblem } from '../domain/errors/field-problem.js';
import { ConfigurationError } from '../domain/errors/operator-errors.js';
import {
  closeAudit,
  isSame,
  namingProject,
  openProjects,
  type CommonParts,
  type ServedProject,
} from './open-projects.js';
import { openStudy } from './open-study.js';
import type { SecretRotation } from './secret-rotation.js';

/** Reads something again. @returns what puts it to use, if there is anything @throws {CrfError} it cannot be used */
type Prepare = () => Promise<(() => void | Promise<void>) | undefined>;

/** What reads again, and whether it was read from a file, by its name in the log. */
export type Reread = readonly [name: string, isRead: boolean, prepare: Prepare];

/**
 * Returns a function that reads again what the service was started with, and says once what came of it. It never rejects:
 * what cannot be used is logged, and everything stays as it was. Undefined if nothing was read from a file.
 */
export function rereadTogether(
  all: readonly Reread[],
  logger: Pick<Logger, 'info' | 'error'>,
): (() => Promise<void>) | undefined {
  const read = all.filter(([, isRead]) => isRead);
  if (read.length === 0) return undefined;
  const what = read.map(([name]) => name).join(' and ');
  const isOne = read.length === 1;
  let underWay = Promise.resolve();
  return () =>
    (underWay = underWay.then(async () => {
      try {
        const use = await prepareAll(read.map(([, , prepare]) => prepare));
        await use();
        logger.info(`${what} ${isOne ? 'was read again and is' : 'were read again and are'} in use`);
      } catch (error) {
        const problems = error instanceof CrfError ? error.errors : undefined;
        logger.error(
          { problems },
          `${what} cannot be used: ${isOne ? 'the previous one is kept' : 'all stays as it was'}`,
        );
      }
    }));
}

/**
 * Reads several things again, and puts all of them to use or nothing.
 *
 * @throws {ConfigurationError} names everything that cannot be used
 */
async function prepareAll(all: readonly Prepare[]): Promise<() => Promise<void>> {
  const read = await Promise.allSettled(all.map((prepare) => prepare()));
  const problems: FieldProblem[] = [];
  for (const result of read) {
    if (result.status === 'fulfilled') continue;
    if (!(result.reason instanceof CrfError)) throw result.reason;
    problems.push(...result.reason.errors);
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
  return async () => {
    for (const result of read) if (result.status === 'fulfilled') await result.value?.();
  };
}

/** What a process of one project reads again: its policy, its study, and its secrets. */
export function rereadSole(
  settings: Settings,
  app: Express,
  { preparePolicy }: ServedProject,
  secrets: SecretRotation,
): Reread[] {
  const { studyFile, secretFiles } = settings;
  const prepareStudy = async () => {
    const study = await openStudy(settings);
    return () => replaceStudy(app, study);
  };
  return [
    ['the policy', preparePolicy !== undefined, async () => preparePolicy?.()],
    ['the file of the study', studyFile !== undefined, prepareStudy],
    ['the secrets', secretFiles.length > 0, () => secrets.prepare()],
  ];
}

/** What is exchanged when the file of projects is read again. */
export interface ProjectsInUse {
  readonly app: Express;
  /** The projects by name, which is changed in place. */
  readonly opened: Map<string, ServedProject>;
  /** The list of keys that the application reads, which is changed in place. */
  readonly apiKeys: ApiKeySetting[];
  readonly parts: CommonParts;
  /** Whether the service was open at its start. */
  readonly isOpen: boolean;
  /** Logs how projects do that are new or have changed. */
  readonly reportOn: (projects: ReadonlyMap<string, ServedProject>) => void;
}

/**
 * Reads the file of projects again, and the policies and tokens of its projects, and puts nothing to use.
 *
 * Requests under way end in the project that they entered, also where its settings have changed. A project that was taken
 * out ends its calls at once.
 *
 * @param next the settings
 * @param secrets those of the process
 * @returns a function that puts all of it to use: projects, keys and people
 * @throws {ConfigurationError} anything of it cannot be used
 */
export async function prepareProjects(
  { app, opened, apiKeys, parts, isOpen, reportOn }: ProjectsInUse,
  { projects: next, app: { access } }: Settings,
  secrets: SecretRotation,
): Promise<() => Promise<void>> {
  if (next === undefined || access.allowAnonymous !== isOpen)
    throw new ConfigurationError([
      { field: 'PROJECTS_FILE', message: 'opens or closes the service: restart it to use the file' },
    ]);
  const kept = [...opened].filter(([name, project]) => {
    const settings = next.byName.get(name);
    return settings !== undefined && isSame(project.settings, settings);
  });
  const use = await prepareAll([
    () => secrets.prepare(),
    ...kept.flatMap(([name, { tokens, preparePolicy }]) => [
      () => namingProject(name, async () => tokens?.prepare()),
      () => namingProject(name, async () => preparePolicy?.()),
    ]),
  ]);
  // The last that may fail: from here on, something has changed.
  const fresh = await openProjects(next, parts, opened);
  return async () => {
    await use();
    replaceProjects(app, {
      projects: Object.fromEntries([...fresh].map(([name, { options }]) => [name, options])),
      defaultProject: next.default,
      sessions: next.sessions,
    });
    apiKeys.splice(0, apiKeys.length, ...access.apiKeys, ...next.keys);
    const before = new Map(opened);
    opened.clear();
    for (const [name, project] of fresh) opened.set(name, project);
    reportOn(new Map([...fresh].filter(([name, project]) => before.get(name) !== project)));
    for (const [name, project] of before) {
      const now = fresh.get(name);
      // Its calls under way end by themselves.
      if (now !== undefined && now !== project) project.retire();
      if (now !== undefined) continue;
      await project.close();
      await closeAudit(parts.audits, name);
    }
  };
}
