import type { Express } from 'express';
import { replaceProjects } from '../app/app.js';
import type { ApiKeySetting } from '../config/api-keys.js';
import type { Settings } from '../config/settings.js';
import { CrfError } from '../errors/crf-error.js';
import { ConfigurationError } from '../errors/operator-errors.js';
import { closeAudit, openProjects, type CommonParts, type ServedProject } from './open-projects.js';

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
 * Returns a function that reads the file of projects again, and puts all of it to use or nothing: projects, keys and
 * people. It never rejects: what cannot be used is logged, and the previous file kept.
 *
 * Requests under way end in the project that they entered, also where its settings have changed. A project that was taken
 * out ends its calls at once.
 *
 * @param load reads the settings
 */
export function projectsReread(inUse: ProjectsInUse, load: () => Settings): () => Promise<void> {
  const { logger } = inUse.parts;
  let underWay = Promise.resolve();
  return () =>
    (underWay = underWay.then(async () => {
      try {
        await exchange(inUse, load());
        logger.info({ projects: inUse.opened.size }, 'the file of projects was read again and is in use');
      } catch (error) {
        const problems = error instanceof CrfError ? error.errors : undefined;
        logger.error({ problems }, 'the file of projects cannot be used: the previous one is kept');
      }
    }));
}

async function exchange(
  { app, opened, apiKeys, parts, isOpen, reportOn }: ProjectsInUse,
  next: Settings,
): Promise<void> {
  const { projects, access } = next;
  if (projects === undefined || access.isOpen !== isOpen)
    throw new ConfigurationError([
      { field: 'PROJECTS_FILE', message: 'opens or closes the service: restart it to use the file' },
    ]);
  const fresh = await openProjects(projects, parts, opened);
  replaceProjects(app, {
    projects: Object.fromEntries([...fresh].map(([name, { options }]) => [name, options])),
    defaultProject: projects.default,
    sessions: projects.sessions,
  });
  apiKeys.splice(0, apiKeys.length, ...access.apiKeys, ...projects.keys);
  const before = new Map(opened);
  opened.clear();
  for (const [name, project] of fresh) opened.set(name, project);
  reportOn(new Map([...fresh].filter(([name, project]) => before.get(name) !== project)));
  for (const [name, project] of before) {
    if (fresh.has(name)) {
      // Its calls under way end by themselves.
      if (fresh.get(name) !== project) project.retire();
      continue;
    }
    await project.close();
    await closeAudit(parts.audits, name);
  }
}
