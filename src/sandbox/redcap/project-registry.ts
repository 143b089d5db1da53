import { randomBytes } from 'node:crypto';
import { BLANK_FIELD } from '../../domain/dictionary/field.js';
import { BLANK_USER } from './caller.js';
import { SandboxProject } from './project.js';
import { ALL_RIGHTS, type Rights } from './rights.js';
import type { Study, StudyUser } from './study.js';
import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import { dataRows, requiredText } from './call-rules.js';
import { fillProject } from './records/load-rows.js';
import { settingNumber } from './project-row.js';
import type { Answer, Format } from '../../wire/answer.js';
import { ApiFailure } from '../../wire/api-failure.js';
import type { Parameters } from '../../wire/parameters.js';

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

/**
 * Creates a project: `content=project` with data and a super token.
 *
 * @returns the new project's token as text
 * @throws {ApiFailure} 400 for a missing title or purpose
 * @see docs/protocol/redcap.md 9.7 (client, doc), 2.2 (client)
 */
export async function createProject(
  registry: ProjectRegistry,
  call: { readonly parameters: Parameters; readonly format: Format },
  now: string,
): Promise<Answer> {
  const [row] = dataRows(call);
  if (row === undefined) throw new ApiFailure(400, 'The data being imported is not formatted correctly.');
  const title = requiredText(row, 'project_title');
  const purpose = requiredText(row, 'purpose');
  if (!/^[0-4]$/.test(purpose)) throw new ApiFailure(400, "The value of the setting 'purpose' is not valid.");
  if (purpose === '1' && row('purpose_other') === '') {
    throw new ApiFailure(
      400,
      "You must provide some text for 'purpose_other' since you specified 'purpose' as '1' (Other).",
    );
  }
  const about = {
    title,
    notes: row('project_notes'),
    purpose: Number(purpose),
    piFirstName: '',
    piLastName: '',
    surveysEnabled: settingNumber('surveys_enabled', row('surveys_enabled')) === 1,
    missingDataCodes: '',
    creationTime: now,
    settings: {
      purpose_other: row('purpose_other'),
      is_longitudinal: settingNumber('is_longitudinal', row('is_longitudinal')),
      record_autonumbering_enabled: settingNumber(
        'record_autonumbering_enabled',
        row('record_autonumbering_enabled') || '1',
      ),
    },
  };
  const odm = call.parameters.text('odm');
  const project = odm === '' ? registry.add(blankStudy(about)) : await fromXml(registry, odm, about);
  logCreation(project, odm === '' ? 'Create project (API)' : 'Create project using REDCap XML file (API)');
  return { kind: 'text', text: tokenOf(project) };
}

/**
 * Creates a project from project XML, with the title, purpose and notes of the call. Calculated values are not
 * restored.
 *
 * @throws {ApiFailure} 400 if the document is not project XML; the server's actual message is unknown (choice)
 * @see docs/protocol/redcap.md 9.7 (client), 9.8 (client)
 */
async function fromXml(
  registry: ProjectRegistry,
  odm: string,
  { title, purpose, notes, creationTime, settings }: Study['project'],
): Promise<SandboxProject> {
  const { readProjectXml } = await import('./odm/read-project-xml.js');
  const { study } = await readProjectXml(odm).catch((error: unknown) => {
    if (!(error instanceof InvalidRequestError)) throw error;
    throw new ApiFailure(400, 'The project XML in the parameter "odm" is not valid.');
  });
  const about = { ...study.project, title, purpose, notes: notes || study.project.notes, creationTime };
  const purposeOther = { purpose_other: settings?.purpose_other ?? '' };
  const project = registry.add({
    ...study,
    project: { ...about, settings: { ...study.project.settings, ...purposeOther } },
    users: [creator()],
  });
  fillProject(project, study, { calculated: 'left out' });
  return project;
}

/**
 * @see docs/protocol/redcap.md 20 (client): the creation is not the oldest entry; which entry precedes it is a choice
 */
function logCreation(project: SandboxProject, details: string): void {
  const username = project.study.users[0]?.username ?? '';
  const action = `Add user ${username}`;
  project.log.add({ username, kind: 'user', action, details: `user = '${username}'` });
  project.log.add({ username, kind: 'manage', action: 'Manage/Design ', details });
}

function tokenOf({ study }: SandboxProject): string {
  return study.users[0]?.token ?? '';
}
