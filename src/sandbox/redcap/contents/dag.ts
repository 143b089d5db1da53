import type { Content } from '../content.js';
import type { ContentCall } from '../content-call.js';
import { dataRows, requiredText } from '../data-rows.js';
import type { StudyGroup } from '../study.js';
import { uniqueGroupName } from '../unique-names.js';
import type { Answer } from '../wire/answer.js';
import { ApiFailure, invalidParameter } from '../wire/api-failure.js';
import { integerAnswer } from '../wire/integer-answer.js';
import { listAnswer } from '../wire/list-answer.js';

/** Data access groups. @see docs/protocol/redcap.md 10.1 (client, doc) */
export const dag: Content = {
  name: 'dag',
  actions: {
    export: { rights: ['api_export'], log: 'Export DAGs (API)', run: exportGroups },
    import: { rights: ['api_import', 'data_access_groups'], log: 'Import DAGs (API)', run: importGroups },
    delete: { rights: ['api_import', 'data_access_groups'], log: 'Delete DAGs (API)', run: deleteGroups },
    switch: { rights: ['api_import'], log: 'Switch DAG (API)', run: switchGroup },
  },
};

function exportGroups({ project }: ContentCall): Answer {
  return listAnswer(
    project.groups.map(({ name, uniqueName, id }) => ({
      data_access_group_name: name,
      unique_group_name: uniqueName,
      data_access_group_id: id,
    })),
    ['data_access_group_name', 'unique_group_name', 'data_access_group_id'],
    { hasHeaderAlways: true },
  );
}

/**
 * Imports groups. A blank unique name creates one. Otherwise the group is renamed, which also changes its unique name.
 * (client)
 */
function importGroups(call: ContentCall): Answer {
  const { project } = call;
  const rows = dataRows(call);
  for (const row of rows) {
    const sent = row('unique_group_name');
    const name = requiredText(row, 'data_access_group_name');
    if (sent !== '' && project.group(sent) === undefined) {
      throw new ApiFailure(
        400,
        `The following values in the parameter "unique_group_name" are not valid: '${sent}'`,
      );
    }
    const others = project.groups.filter(({ uniqueName }) => uniqueName !== sent);
    const uniqueName = uniqueGroupName(name, new Set(others.map((group) => group.uniqueName)));
    if (sent === '')
      project.redesign({ groups: [...project.groups, { name, uniqueName, id: nextId(project.groups) }] });
    else renameGroup(call, sent, { name, uniqueName });
  }
  return integerAnswer(rows.length, call);
}

function nextId(groups: readonly StudyGroup[]): number {
  return Math.max(0, ...groups.map(({ id }) => id)) + 1;
}

function renameGroup(
  { project }: ContentCall,
  sent: string,
  to: Pick<StudyGroup, 'name' | 'uniqueName'>,
): void {
  project.redesign({
    groups: project.groups.map((group) => (group.uniqueName === sent ? { ...group, ...to } : group)),
    users: project.study.users.map((user) =>
      user.group === sent ? { ...user, group: to.uniqueName } : user,
    ),
  });
  for (const record of project.records.inOrder()) if (record.group === sent) record.group = to.uniqueName;
}

/** Deletes groups and ignores unknown ones. The records of a deleted group no longer belong to any group. (doc) */
function deleteGroups(call: ContentCall): Answer {
  const { project, parameters } = call;
  const names = new Set(parameters.list('dags'));
  if (names.size === 0) throw invalidParameter('dags');
  const gone = project.groups.filter(({ uniqueName }) => names.has(uniqueName));
  project.redesign({
    groups: project.groups.filter((group) => !gone.includes(group)),
    users: project.study.users.map((user) => (names.has(user.group) ? { ...user, group: '' } : user)),
  });
  for (const record of project.records.inOrder()) if (names.has(record.group)) record.group = '';
  return integerAnswer(gone.length, call);
}

/**
 * Moves the caller to another group, or out of every group if `dag` is blank. REDCap lets an administrator choose who
 * may switch. In the sandbox, users without a group and users who may manage groups can.
 *
 * @see docs/protocol/redcap.md 10.1 (doc); the error message is ours (choice)
 */
function switchGroup(call: ContentCall): Answer {
  const { project, parameters, caller } = call;
  const group = parameters.text('dag');
  if (caller.group !== '' && group !== caller.group && !caller.may('data_access_groups')) {
    throw new ApiFailure(400, 'You are not assigned to more than one Data Access Group');
  }
  if (group !== '' && project.group(group) === undefined) throw invalidParameter('dag');
  project.redesign({
    users: project.study.users.map((user) => (user.username === caller.username ? { ...user, group } : user)),
  });
  return integerAnswer(1, call);
}
