import type { ContentCall } from '../content.js';
import { dataRows, requiredText, givenNames, requireKnown } from '../call-rules.js';
import type { StudyGroup, StudyUser } from '../study.js';
import { uniqueGroupName } from '../unique-names.js';
import { type Answer, integerAnswer, tableAnswer } from '../../../wire/answer.js';
import { ApiFailure, invalidParameter } from '../../../wire/api-failure.js';

// Data access groups. @see docs/protocol/redcap.md 10.1 (client, doc)

export function exportGroups({ project }: ContentCall): Answer {
  return tableAnswer<StudyGroup>(project.groups, {
    data_access_group_name: ({ name }) => name,
    unique_group_name: ({ uniqueName }) => uniqueName,
    data_access_group_id: ({ id }) => id,
  });
}

/**
 * Imports groups. A blank unique name creates one. Otherwise the group is renamed, which also changes its unique name.
 * (client)
 */
export function importGroups(call: ContentCall): Answer {
  const { project } = call;
  const rows = dataRows(call);
  let groups = project.groups;
  for (const row of rows) {
    const sent = row('unique_group_name');
    const name = requiredText(row, 'data_access_group_name');
    const known = groups.find(({ uniqueName }) => uniqueName === sent);
    if (sent !== '' && known === undefined) {
      throw new ApiFailure(
        400,
        `The following values in the parameter "unique_group_name" are not valid: '${sent}'`,
      );
    }
    const others = groups.filter((group) => group !== known);
    const uniqueName = uniqueGroupName(name, new Set(others.map((group) => group.uniqueName)));
    groups =
      known === undefined
        ? [...groups, { name, uniqueName, id: project.nextGroupNumber() }]
        : groups.map((group) => (group === known ? { ...group, name, uniqueName } : group));
  }
  replaceGroups(call, groups);
  return integerAnswer(rows.length, call);
}

/**
 * Stores the groups. Users, records and log entries of a renamed group, which keeps its number, get its new unique name.
 * Those of a deleted group belong to none.
 */
function replaceGroups({ project }: ContentCall, groups: readonly StudyGroup[]): void {
  const before = project.groups;
  const nameAfter = (uniqueName: string): string => {
    const id = before.find((group) => group.uniqueName === uniqueName)?.id;
    return groups.find((group) => group.id === id)?.uniqueName ?? '';
  };
  project.redesign({
    groups,
    users: project.study.users.map((user) => ({ ...user, group: nameAfter(user.group) })),
  });
  for (const record of project.records.inOrder()) record.group = nameAfter(record.group);
  project.log.regroup(nameAfter);
}

/** Deletes groups and ignores unknown ones. The records of a deleted group no longer belong to any group. (doc) */
export function deleteGroups(call: ContentCall): Answer {
  const { project, parameters } = call;
  const names = givenNames(parameters, 'dags');
  const kept = project.groups.filter(({ uniqueName }) => !names.has(uniqueName));
  const count = project.groups.length - kept.length;
  replaceGroups(call, kept);
  return integerAnswer(count, call);
}

/**
 * Moves the caller to another group, or out of every group if `dag` is blank. REDCap lets an administrator choose who
 * may switch. In the sandbox, users without a group and users who may manage groups can.
 *
 * @see docs/protocol/redcap.md 10.1 (doc); the error message is ours (choice)
 */
export function switchGroup(call: ContentCall): Answer {
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

/** The data access group of each user; blank if there is none. @see docs/protocol/redcap.md 10.2 (client) */
export function exportGroupAssignments({ project }: ContentCall): Answer {
  return tableAnswer<StudyUser>(project.usersByName, {
    username: ({ username }) => username,
    redcap_data_access_group: ({ group }) => group,
  });
}

export function importGroupAssignments(call: ContentCall): Answer {
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
