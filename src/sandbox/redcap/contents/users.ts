import { isTextOf } from '../../../domain/dictionary/text-validations.js';
import { BLANK_USER } from '../caller.js';
import type { ContentCall } from '../content.js';
import { dataRows, requiredText, type DataRow, givenNames, requireKnown } from '../call-rules.js';
import type { SandboxProject } from '../project.js';
import { formRightsOf, refuseUnknownForms, sentFormRights, sentRights } from '../rights-rows.js';
import { shownRights } from '../rights.js';
import type { StudyRole, StudyUser } from '../study.js';
import { type Answer, integerAnswer, tableAnswer } from '../../../wire/answer.js';
import { ApiFailure } from '../../../wire/api-failure.js';

// @see docs/protocol/redcap.md 10.3 (client, doc)

/** @see docs/protocol/redcap.md 14 (client): `data_access_group_label` exists since 16.0.0 */
export function exportUsers({ project, version }: ContentCall): Answer {
  const holderOf = (entry: StudyUser): StudyUser | StudyRole =>
    project.roles.find(({ uniqueName }) => uniqueName === entry.role) ?? entry;
  return tableAnswer<StudyUser>(project.usersByName, {
    username: ({ username }) => username,
    email: ({ email }) => email,
    firstname: ({ firstName }) => firstName,
    lastname: ({ lastName }) => lastName,
    expiration: ({ expiration }) => expiration,
    data_access_group: ({ group }) => group,
    data_access_group_id: ({ group }) => project.group(group)?.id ?? '',
    ...(version.isAtLeast('16') && {
      data_access_group_label: ({ group }) => project.group(group)?.name ?? '',
    }),
    ...Object.fromEntries(
      shownRights(project.isRandomizing).map((right) => [
        right,
        (entry: StudyUser) => holderOf(entry).rights[right],
      ]),
    ),
    forms: (entry) => formRightsOf(project, holderOf(entry)).forms,
    forms_export: (entry) => formRightsOf(project, holderOf(entry)).formsExport,
  });
}

/** Imports users. New ones get only the rights that are sent. Existing ones keep the values that are not sent. (doc) */
export function importUsers(call: ContentCall): Answer {
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
  requireKnown('data access group', group, group === '' || project.group(group) !== undefined);
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

/**
 * Deletes users and ignores unknown ones (doc). A user who may not delete records was refused for that right.
 *
 * @see docs/protocol/redcap.md 20 (client)
 */
export function deleteUsers(call: ContentCall): Answer {
  const { project, parameters } = call;
  const names = givenNames(parameters, 'users');
  const kept = project.study.users.filter(({ username }) => !names.has(username));
  const count = project.study.users.length - kept.length;
  project.redesign({ users: kept });
  return integerAnswer(count, call);
}
