import { randomBytes } from 'node:crypto';
import { BLANK_FIELD } from '../../dictionary/field.js';
import { SandboxProject } from './project.js';
import { ALL_RIGHTS } from './rights.js';
import type { Study, StudyUser } from './study.js';

/** The projects of a sandbox. A token belongs to one user in one of them. */
export class ProjectRegistry {
  readonly #projects: SandboxProject[] = [];

  /**
   * @param clock the server's time
   * @param publicUrl what REDCap calls itself in links, with a trailing slash
   */
  constructor(
    private readonly clock: () => Date,
    private readonly publicUrl = 'https://redcap.example.org/',
  ) {}

  add(study: Study): SandboxProject {
    const id = study.project.id ?? this.#projects.length + 1;
    const project = new SandboxProject(study, this.clock, id, this.publicUrl);
    this.#projects.push(project);
    return project;
  }

  /** The project and the user whose token it is. */
  find(token: string): { readonly project: SandboxProject; readonly user: StudyUser } | undefined {
    for (const project of this.#projects) {
      const user = project.userOf(token);
      if (user !== undefined) return { project, user };
    }
    return undefined;
  }
}

/** What a new project begins with: one instrument with the record ID, and its creator, who may do everything. (doc) */
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

/** The owner of the super token, with a token of their own for the new project. */
export function creator(): StudyUser {
  return {
    username: 'site_admin',
    email: 'site_admin@example.org',
    firstName: 'Ada',
    lastName: 'Lovelace',
    token: randomBytes(16).toString('hex').toUpperCase(),
    expiration: '',
    group: '',
    role: '',
    // What a new project's creator lacks. @see docs/protocol/redcap.md 20 (client)
    rights: { ...ALL_RIGHTS, email_logging: 0, mobile_app_download_data: 0, lock_records_customization: 0 },
  };
}
