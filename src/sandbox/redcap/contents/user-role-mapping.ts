import { reads, writes, type Content, type ContentCall } from '../content.js';
import { dataRows, requiredText, type DataRow } from '../data-rows.js';
import { type Answer, integerAnswer, listAnswer } from '../wire/answer.js';
import { requireKnown } from './call-rules.js';

/** The role of each user; blank if there is none. @see docs/protocol/redcap.md 10.5 */
export const userRoleMapping: Content = {
  name: 'userRoleMapping',
  actions: {
    export: reads('Export User-Role assignments', exportAssignments, 'user_rights'),
    import: writes('Import User-Role assignments', importAssignments, 'user_rights'),
  },
};

/** @see docs/protocol/redcap.md 14 (client) */
const GROUPS_SINCE = '15.8.2';

function exportAssignments({ project, version }: ContentCall): Answer {
  const hasGroup = version.isAtLeast(GROUPS_SINCE);
  return listAnswer(
    project.usersByName.map(({ username, role, group }) => ({
      username,
      unique_role_name: role,
      data_access_group: group,
    })),
    ['username', 'unique_role_name', ...(hasGroup ? ['data_access_group'] : [])],
  );
}

/** Assigns roles and, where the data names them, groups. @see docs/protocol/redcap.md 20 (doc) */
function importAssignments(call: ContentCall): Answer {
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
