import { createHash } from 'node:crypto';
import type { ContentCall } from '../content.js';
import { dataRows, requiredText, type DataRow, givenNames, requireKnown } from '../call-rules.js';
import type { SandboxProject } from '../project.js';
import { formRightsOf, refuseUnknownForms, sentFormRights, sentRights } from '../rights-rows.js';
import { rightsOf, shownRights, type RightName } from '../rights.js';
import type { StudyRole, StudyUser } from '../study.js';
import { type Answer, integerAnswer, tableAnswer } from '../../../wire/answer.js';

// @see docs/protocol/redcap.md 10.4 (client)

/** Roles list the locking rights in reverse order. @see docs/protocol/redcap.md 20 (client) */
function roleRights({ isRandomizing }: SandboxProject): readonly RightName[] {
  const names = shownRights(isRandomizing);
  const first = names.findIndex((name) => name.startsWith('lock_'));
  const locks = names.filter((name) => name.startsWith('lock_'));
  return names.toSpliced(first, locks.length, ...locks.toReversed());
}

/** Rights are strings here, rights by instrument are numbers. */
export function exportRoles({ project }: ContentCall): Answer {
  const rights = roleRights(project);
  return tableAnswer<StudyRole>(project.roles, {
    unique_role_name: ({ uniqueName }) => uniqueName,
    role_label: ({ label }) => label,
    ...Object.fromEntries(rights.map((name) => [name, (role: StudyRole) => String(role.rights[name])])),
    forms: (role) => formRightsOf(project, role).forms,
    forms_export: (role) => formRightsOf(project, role).formsExport,
  });
}

/** Imports roles. A blank unique name creates one. (client) */
export function importRoles(call: ContentCall): Answer {
  const { project } = call;
  const rows = dataRows(call);
  const roles = new Map(project.roles.map((role) => [role.uniqueName, role]));
  const unknown = rows
    .map((row) => row('unique_role_name'))
    .filter((name) => name !== '' && !roles.has(name));
  refuseUnknownForms(
    project,
    rows,
    (row) => `user role "${row('unique_role_name')}"`,
    unknown.length === 0 ? [] : [`Invalid Unique Role Names: ${unknown.join(', ')}`],
  );
  for (const row of rows) {
    const before = roles.get(row('unique_role_name'));
    const role: StudyRole = {
      ...before,
      uniqueName: before?.uniqueName ?? newRoleName(project, roles),
      label: before === undefined ? requiredText(row, 'role_label') : row('role_label') || before.label,
      rights: sentRights(row, before?.rights ?? rightsOf({})),
      formRights: sentFormRights(project, row, before?.formRights),
    };
    roles.set(role.uniqueName, role);
  }
  project.redesign({ roles: [...roles.values()] });
  return integerAnswer(rows.length, call);
}

/**
 * Returns `U-` and ten capital letters or digits, derived from the project and a number that no other role had, not
 * even a deleted one.
 */
function newRoleName(project: SandboxProject, taken: ReadonlyMap<string, StudyRole>): string {
  for (;;) {
    const digest = createHash('sha256')
      .update(`${project.id} role ${project.nextRoleNumber()}`)
      .digest('hex');
    const name = `U-${BigInt(`0x${digest}`).toString(36).toUpperCase().slice(0, 10)}`;
    if (!taken.has(name)) return name;
  }
}

/** Users of a deleted role have no role afterwards. */
export function deleteRoles(call: ContentCall): Answer {
  const { project, parameters } = call;
  const names = givenNames(parameters, 'roles');
  const kept = project.roles.filter(({ uniqueName }) => !names.has(uniqueName));
  const count = project.roles.length - kept.length;
  project.redesign({
    roles: kept,
    users: project.study.users.map((user) => (names.has(user.role) ? { ...user, role: '' } : user)),
  });
  return integerAnswer(count, call);
}

/** @see docs/protocol/redcap.md 14 (client) */
const GROUPS_SINCE = '15.8.2';

/** The role of each user; blank if there is none. @see docs/protocol/redcap.md 10.5 */
export function exportRoleAssignments({ project, version }: ContentCall): Answer {
  return tableAnswer<StudyUser>(project.usersByName, {
    username: ({ username }) => username,
    unique_role_name: ({ role }) => role,
    ...(version.isAtLeast(GROUPS_SINCE) && { data_access_group: ({ group }) => group }),
  });
}

/** Assigns roles and, where the data names them, groups. @see docs/protocol/redcap.md 20 (doc) */
export function importRoleAssignments(call: ContentCall): Answer {
  const { project, version } = call;
  const rows = new Map(dataRows(call).map((row) => [requiredText(row, 'username'), row]));
  const groupOf = (row: DataRow): string | undefined =>
    row.has('data_access_group') && version.isAtLeast(GROUPS_SINCE) ? row('data_access_group') : undefined;
  for (const [username, row] of rows) {
    const [role, group = ''] = [row('unique_role_name'), groupOf(row)];
    requireKnown('user', username, project.user(username) !== undefined);
    requireKnown('role', role, role === '' || project.roles.some(({ uniqueName }) => uniqueName === role));
    requireKnown('data access group', group, group === '' || project.group(group) !== undefined);
  }
  project.redesign({
    users: project.usersByName.map((user) => {
      const row = rows.get(user.username);
      if (row === undefined) return user;
      return { ...user, role: row('unique_role_name'), group: groupOf(row) ?? user.group };
    }),
  });
  return integerAnswer(rows.size, call);
}
