import type { Caller } from './caller.js';
import type { RightName } from './rights.js';
import { ApiFailure } from './wire/api-failure.js';

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
