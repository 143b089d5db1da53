import type { Content, ContentCall } from '../content.js';
import { dataRows, requiredText } from '../data-rows.js';
import { type Answer, integerAnswer, listAnswer } from '../wire/answer.js';
import { ApiFailure } from '../wire/api-failure.js';

/** The data access group of each user; blank if there is none. @see docs/protocol/redcap.md 10.2 (client) */
export const userDagMapping: Content = {
  name: 'userDagMapping',
  actions: {
    export: {
      rights: ['api_export', 'data_access_groups'],
      log: 'Export User-DAG assignments (API)',
      run: exportAssignments,
    },
    import: {
      rights: ['api_import', 'data_access_groups'],
      log: 'Import User-DAG assignments (API)',
      run: importAssignments,
    },
  },
};

function exportAssignments({ project }: ContentCall): Answer {
  return listAnswer(
    project.usersByName.map(({ username, group }) => ({ username, redcap_data_access_group: group })),
    ['username', 'redcap_data_access_group'],
  );
}

function importAssignments(call: ContentCall): Answer {
  const { project } = call;
  const groups = new Map(
    dataRows(call).map((row) => [requiredText(row, 'username'), row('redcap_data_access_group')]),
  );
  for (const [username, group] of groups) {
    if (project.user(username) === undefined) {
      throw new ApiFailure(400, `The user '${username}' does not exist in the project`);
    }
    if (group !== '' && project.group(group) === undefined) {
      throw new ApiFailure(400, `The data access group '${group}' does not exist in the project`);
    }
  }
  project.redesign({
    users: project.usersByName.map((user) => ({ ...user, group: groups.get(user.username) ?? user.group })),
  });
  return integerAnswer(groups.size, call);
}
