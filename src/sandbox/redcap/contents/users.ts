import { isTextOf } from '../../../domain/dictionary/text-validations.js';
import { BLANK_USER } from '../caller.js';
import { reads, writes, type Content, type ContentCall } from '../content.js';
import { dataRows, requiredText, type DataRow } from '../data-rows.js';
import type { SandboxProject } from '../project.js';
import { formRightsOf, refuseUnknownForms, sentFormRights, sentRights } from '../rights-rows.js';
import { shownRights } from '../rights.js';
import type { ServerVersion } from '../server-version.js';
import type { StudyUser } from '../study.js';
import { type Answer, integerAnswer, listAnswer, type Row } from '../wire/answer.js';
import { ApiFailure } from '../wire/api-failure.js';
import { givenNames } from './call-rules.js';

/** @see docs/protocol/redcap.md 10.3 (client, doc) */
export const user: Content = {
  name: 'user',
  actions: {
    export: reads('Export users', exportUsers, 'user_rights'),
    import: writes('Import users', importUsers, 'user_rights'),
    // A user who may not delete records was refused for that right. @see docs/protocol/redcap.md 20 (client)
    delete: writes('Delete users', deleteUsers, 'user_rights', 'record_delete'),
  },
};

/** @see docs/protocol/redcap.md 14 (client): `data_access_group_label` exists since 16.0.0 */
function columnsOf(project: SandboxProject, version: ServerVersion): readonly string[] {
  return [
    'username',
    'email',
    'firstname',
    'lastname',
    'expiration',
    'data_access_group',
    'data_access_group_id',
    ...(version.isAtLeast('16') ? ['data_access_group_label'] : []),
    ...shownRights(project.isRandomizing),
    'forms',
    'forms_export',
  ];
}

function exportUsers({ project, version }: ContentCall): Answer {
  return listAnswer(
    project.usersByName.map((entry) => toRow(project, entry)),
    columnsOf(project, version),
  );
}

function toRow(project: SandboxProject, entry: StudyUser): Row {
  const role = project.roles.find(({ uniqueName }) => uniqueName === entry.role);
  const group = project.group(entry.group);
  const { forms, formsExport } = formRightsOf(project, role ?? entry);
  return {
    username: entry.username,
    email: entry.email,
    firstname: entry.firstName,
    lastname: entry.lastName,
    expiration: entry.expiration,
    data_access_group: entry.group,
    data_access_group_id: group?.id ?? '',
    data_access_group_label: group?.name ?? '',
    ...(role ?? entry).rights,
    forms,
    forms_export: formsExport,
  };
}

/** Imports users. New ones get only the rights that are sent. Existing ones keep the values that are not sent. (doc) */
function importUsers(call: ContentCall): Answer {
  const { project } = call;
  const users = new Map(project.usersByName.map((entry) => [entry.username, entry]));
  const rows = dataRows(call);
  refuseUnknownForms(project, rows, (row) => `user "${row('username')}"`);
  for (const row of rows) {
    const username = requiredText(row, 'username');
    users.set(username, imported(project, row, users.get(username) ?? newUser(username)));
  }
  project.redesign({ users: [...users.values()] });
  return integerAnswer(rows.length, call);
}

/** A user without rights, also on every instrument. */
function newUser(username: string): StudyUser {
  return { ...BLANK_USER, username, formRights: { forms: {}, formsExport: {} } };
}

function imported(project: SandboxProject, row: DataRow, before: StudyUser): StudyUser {
  const group = row('data_access_group');
  if (group !== '' && project.group(group) === undefined) {
    throw new ApiFailure(400, `The data access group '${group}' does not exist in the project`);
  }
  const hasForms = row.has('forms') || row.has('forms_export');
  return {
    ...before,
    // A blank cell erases. @see docs/protocol/redcap.md 20 (client for the group, inferred for the date)
    expiration: row.has('expiration') ? expirationOf(row) : before.expiration,
    group: row.has('data_access_group') ? group : before.group,
    rights: sentRights(row, before.rights),
    formRights: hasForms ? sentFormRights(project, row, before.formRights) : before.formRights,
  };
}

/** @throws {ApiFailure} 400 if it is neither a date nor blank (choice) */
function expirationOf(row: DataRow): string {
  const expiration = row('expiration');
  if (expiration !== '' && !isTextOf('date_ymd', expiration))
    throw new ApiFailure(400, "The value of 'expiration' must be a date: YYYY-MM-DD.");
  return expiration;
}

/** Deletes users and ignores unknown ones. (doc) */
function deleteUsers(call: ContentCall): Answer {
  const { project, parameters } = call;
  const names = givenNames(parameters, 'users');
  const kept = project.study.users.filter(({ username }) => !names.has(username));
  const count = project.study.users.length - kept.length;
  project.redesign({ users: kept });
  return integerAnswer(count, call);
}
