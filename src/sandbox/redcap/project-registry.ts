import { randomBytes } from 'node:crypto';
import { BLANK_FIELD } from '../../domain/dictionary/field.js';
import { BLANK_USER } from './caller.js';
import { SandboxProject } from './project.js';
import { ALL_RIGHTS, type Rights } from './rights.js';
import type { Study, StudyUser } from './study.js';

/** The projects of a sandbox. Each token belongs to one user of one project. */
export class ProjectRegistry {
  readonly #projects: SandboxProject[] = [];

  /**
   * @param clock the server's time
   * @param publicUrl as in `SandboxProject`
   */
  constructor(
    private readonly clock: () => Date,
    private readonly publicUrl?: string,
  ) {}

  /** Adds a project with the design of a study, still without its records. */
  add(study: Study): SandboxProject {
    const id = study.project.id ?? this.#projects.length + 1;
    const project = new SandboxProject(study, this.clock, id, this.publicUrl);
    this.#projects.push(project);
    return project;
  }

  /** Returns the project and the user that a token belongs to. */
  find(token: string): { readonly project: SandboxProject; readonly user: StudyUser } | undefined {
    for (const project of this.#projects) {
      const user = project.userOf(token);
      if (user !== undefined) return { project, user };
    }
    return undefined;
  }
}

/**
 * Returns the initial state of a new project: one instrument with the record ID, and its creator.
 *
 * @see docs/protocol/redcap.md 9.7 (doc)
 */
export function blankStudy(about: Study['project']): Study {
  const field = { ...BLANK_FIELD, name: 'record_id', instrument: 'form_1', label: 'Record ID' };
  return {
    project: about,
    fields: [field],
    instruments: [{ name: 'form_1', label: 'Form 1' }],
    arms: [],
    events: [],
    mappings: [],
    repeating: [],
    users: [creator()],
    rows: [],
  };
}

/** The rights that the creator of a new project does not have. @see docs/protocol/redcap.md 20 (client) */
const LACKING: Partial<Rights> = {
  email_logging: 0,
  mobile_app_download_data: 0,
  record_rename: 0,
  record_delete: 0,
  lock_records: 0,
  lock_records_all_forms: 0,
  lock_records_customization: 0,
};

/** Returns the owner of the super token as a user of the new project, with a token for it. */
export function creator(): StudyUser {
  return {
    ...BLANK_USER,
    username: 'site_admin',
    email: 'site_admin@example.org',
    firstName: 'Ada',
    lastName: 'Lovelace',
    token: randomBytes(16).toString('hex').toUpperCase(),
    rights: { ...ALL_RIGHTS, ...LACKING },
  };
}
