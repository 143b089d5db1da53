import { createHash } from 'node:crypto';
import { reads, writes, type Content, type ContentCall } from '../content.js';
import { dataRows, requiredText } from '../data-rows.js';
import type { SandboxProject } from '../project.js';
import { formRightsOf, refuseUnknownForms, sentFormRights, sentRights } from '../rights-rows.js';
import { rightsOf, shownRights, type RightName } from '../rights.js';
import type { StudyRole } from '../study.js';
import { type Answer, integerAnswer, listAnswer } from '../wire/answer.js';
import { givenNames } from './call-rules.js';

/** @see docs/protocol/redcap.md 10.4 (client): rights are strings here, rights by instrument are numbers */
export const userRole: Content = {
  name: 'userRole',
  actions: {
    export: reads('Export user roles', exportRoles, 'user_rights'),
    import: writes('Import user roles', importRoles, 'user_rights'),
    delete: writes('Delete user roles', deleteRoles, 'user_rights'),
  },
};

/** Roles list the locking rights in reverse order. @see docs/protocol/redcap.md 20 (client) */
function roleRights({ isRandomizing }: SandboxProject): readonly RightName[] {
  const names = shownRights(isRandomizing);
  const first = names.findIndex((name) => name.startsWith('lock_'));
  const locks = names.filter((name) => name.startsWith('lock_'));
  return names.toSpliced(first, locks.length, ...locks.toReversed());
}

function exportRoles({ project }: ContentCall): Answer {
  const names = roleRights(project);
  const rows = project.roles.map((role) => {
    const { forms, formsExport } = formRightsOf(project, role);
    const rights = Object.fromEntries(names.map((name) => [name, String(role.rights[name])]));
    return {
      unique_role_name: role.uniqueName,
      role_label: role.label,
      ...rights,
      forms,
      forms_export: formsExport,
    };
  });
  return listAnswer(rows, ['unique_role_name', 'role_label', ...names, 'forms', 'forms_export']);
}

/** Imports roles. A blank unique name creates one. (client) */
function importRoles(call: ContentCall): Answer {
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
function deleteRoles(call: ContentCall): Answer {
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
