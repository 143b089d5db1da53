import { FORM_EDIT, FORM_VIEW, type FormRights, type RightName, type Rights, rightsOf } from './rights.js';
import type { StudyUser } from './study.js';
import type { SandboxProject } from './project.js';
import { ApiFailure } from '../../wire/api-failure.js';

/** A user without name, token, group, role and rights, from which others are made. */
export const BLANK_USER: StudyUser = Object.freeze({
  username: '',
  email: '',
  firstName: '',
  lastName: '',
  token: '',
  expiration: '',
  group: '',
  role: '',
  rights: rightsOf({}),
});

/** The user that a token belongs to, with their rights: those of their role if they have one, else their own. */
export class Caller {
  readonly #rights: Rights;
  readonly #formRights: FormRights | undefined;

  constructor(
    project: SandboxProject,
    readonly user: StudyUser,
  ) {
    const role = project.roles.find(({ uniqueName }) => uniqueName === user.role);
    this.#rights = role?.rights ?? user.rights;
    this.#formRights = role === undefined ? user.formRights : role.formRights;
  }

  get username(): string {
    return this.user.username;
  }

  /** The unique name of the caller's data access group; empty if the caller sees every record. */
  get group(): string {
    return this.user.group;
  }

  /** Whether the caller has a right, in any degree. */
  may(right: RightName): boolean {
    return this.#rights[right] > 0;
  }

  right(right: RightName): number {
    return this.#rights[right];
  }

  /**
   * Returns the right to an instrument: 0 none, 1 edit, 2 view, or as `mayEdit` reads it.
   *
   * @see docs/protocol/redcap.md 20 (client)
   */
  formRight(instrument: string): number {
    return ownOf(this.#formRights?.forms, instrument) ?? (this.may('api_import') ? FORM_EDIT : FORM_VIEW);
  }

  /**
   * Whether the caller may edit an instrument: the rights 1 and 3, and those from 128 up with the bit of 130.
   *
   * @see docs/protocol/redcap.md 10.3 (doc)
   */
  mayEdit(instrument: string): boolean {
    const right = this.formRight(instrument);
    return right < 128 ? right === FORM_EDIT || right === 3 : (right & 2) !== 0;
  }

  /**
   * Returns the export right: 0 none, 1 full, 2 de-identified, 3 without identifiers.
   *
   * @see docs/protocol/redcap.md 4.7 (doc)
   */
  exportRight(instrument: string): number {
    return ownOf(this.#formRights?.formsExport, instrument) ?? (this.may('api_export') ? 1 : 0);
  }

  /** Whether the caller may see a record: any record, or only those of the caller's own group. */
  sees(record: { readonly group: string }): boolean {
    return this.group === '' || record.group === this.group;
  }
}

/** An instrument may be called `constructor`, which every object inherits. */
function ownOf<Right>(
  rights: Readonly<Record<string, Right>> | undefined,
  instrument: string,
): Right | undefined {
  return rights !== undefined && Object.hasOwn(rights, instrument) ? rights[instrument] : undefined;
}

/** Names of the rights in error messages. @see docs/protocol/redcap.md 2.1 (client; those not recorded are a choice) */
const RIGHT_TEXTS: Readonly<Partial<Record<RightName, string>>> = {
  api_export: 'API Export',
  api_import: 'API Import/Update',
  record_create: 'Create Records',
  record_delete: 'Delete Record',
  record_rename: 'Rename Record',
  random_perform: 'Randomize',
  design: 'Project Design and Setup',
  user_rights: 'User Rights',
  data_access_groups: 'Data Access Groups',
  manage_survey_participants: 'Survey Distribution Tools',
  file_repository: 'File Repository',
  logging: 'Logging',
};

/** @throws {ApiFailure} 403 naming the right, if the caller lacks it */
export function requireRight(caller: Caller, right: RightName): void {
  if (caller.may(right)) return;
  throw new ApiFailure(403, `You do not have ${RIGHT_TEXTS[right] ?? right} privileges`);
}
