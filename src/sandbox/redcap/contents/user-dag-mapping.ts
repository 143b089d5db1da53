import { reads, writes, type Content, type ContentCall } from '../content.js';
import { dataRows, requiredText } from '../data-rows.js';
import { type Answer, integerAnswer, listAnswer } from '../wire/answer.js';
import { requireKnown } from './call-rules.js';

/** The data access group of each user; blank if there is none. @see docs/protocol/redcap.md 10.2 (client) */
export const userDagMapping: Content = {
  name: 'userDagMapping',
  actions: {
    export: reads('Export User-DAG assignments', exportAssignments, 'data_access_groups'),
    import: writes('Import User-DAG assignments', importAssignments, 'data_access_groups'),
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
    requireKnown('user', username, project.user(username) !== undefined);
    requireKnown('data access group', group, group === '' || project.group(group) !== undefined);
  }
  project.redesign({
    users: project.usersByName.map((user) => ({ ...user, group: groups.get(user.username) ?? user.group })),
  });
  return integerAnswer(groups.size, call);
}
