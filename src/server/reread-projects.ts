import type { Express } from 'express';
import { replaceProjects } from '../app/app.js';
import type { ApiKeySetting } from './config/api-keys.js';
import type { ServedProjects, Settings } from './config/settings.js';
import { ConfigurationError } from '../domain/errors/operator-errors.js';
import {
  closeAudit,
  namingProject,
  openProjects,
  type CommonParts,
  type ServedProject,
} from './open-projects.js';
import { prepareAll } from './reread-together.js';
import type { SecretRotation } from './secret-rotation.js';

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
  inUse: ProjectsInUse,
  next: Settings,
  secrets: SecretRotation,
): Promise<() => Promise<void>> {
  const { opened, parts, isOpen } = inUse;
  const { projects, access } = next;
  if (projects === undefined || access.isOpen !== isOpen)
    throw new ConfigurationError([
      { field: 'PROJECTS_FILE', message: 'opens or closes the service: restart it to use the file' },
    ]);
  const kept = [...opened].filter(([name, project]) => {
    const settings = projects.byName.get(name);
    return settings !== undefined && project.isOf(settings);
  });
  const use = await prepareAll([
    () => secrets.prepare(),
    ...kept.flatMap(([name, { tokens, policy }]) => [
      () => namingProject(name, async () => tokens?.prepare()),
      () => namingProject(name, async () => policy?.prepare()),
    ]),
  ]);
  // The last that may fail: from here on, something has changed.
  const fresh = await openProjects(projects, parts, opened);
  return async () => {
    await use();
    await exchange(inUse, next, projects, fresh);
  };
}

async function exchange(
  { app, opened, apiKeys, parts, reportOn }: ProjectsInUse,
  { access }: Settings,
  projects: ServedProjects,
  fresh: ReadonlyMap<string, ServedProject>,
): Promise<void> {
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
