import type { Content } from '../content.js';
import type { ContentCall } from '../content-call.js';
import { dataRows, requiredText } from '../data-rows.js';
import type { Answer } from '../wire/answer.js';
import { ApiFailure } from '../wire/api-failure.js';
import { integerAnswer } from '../wire/integer-answer.js';
import { listAnswer } from '../wire/list-answer.js';

/** The role of each user; blank if there is none. @see docs/protocol/redcap.md 10.5 */
export const userRoleMapping: Content = {
  name: 'userRoleMapping',
  actions: {
    export: {
      rights: ['api_export', 'user_rights'],
      log: 'Export User-Role assignments (API)',
      run: exportAssignments,
    },
    import: {
      rights: ['api_import', 'user_rights'],
      log: 'Import User-Role assignments (API)',
      run: importAssignments,
    },
  },
};

function exportAssignments({ project, version }: ContentCall): Answer {
  const hasGroup = version.isAtLeast('15.8.2'); // @see docs/protocol/redcap.md 14 (client)
  return listAnswer(
    project.usersByName.map(({ username, role, group }) => ({
      username,
      unique_role_name: role,
      data_access_group: group,
    })),
    ['username', 'unique_role_name', ...(hasGroup ? ['data_access_group'] : [])],
  );
}

function importAssignments(call: ContentCall): Answer {
  const { project } = call;
  const roles = new Map(
    dataRows(call).map((row) => [requiredText(row, 'username'), row('unique_role_name')]),
  );
  for (const [username, role] of roles) {
    if (project.user(username) === undefined) {
      throw new ApiFailure(400, `The user "${username}" does not exist in the project`);
    }
    if (role !== '' && !project.roles.some(({ uniqueName }) => uniqueName === role)) {
      throw new ApiFailure(400, `The role "${role}" does not exist in the project`);
    }
  }
  project.redesign({
    users: project.usersByName.map((user) => ({ ...user, role: roles.get(user.username) ?? user.role })),
  });
  return integerAnswer(roles.size, call);
}
