import { unless, write, type Operation } from './operation.js';

const NAME = 'crf conformance';
const USERNAME = 'crf_conformance';

/** Operations that change groups, users and roles. Each creates one and deletes it, or writes back existing data. */
export const PEOPLE_WRITES: readonly Operation[] = [
  write('dags.import, dags.delete', ['dag', 'import, delete'], '10.1', async ({ client }) => {
    const made = await client.dags.import([{ name: NAME }]);
    const group = (await client.dags.export()).find(({ name }) => name === NAME);
    const deleted = group === undefined ? 0 : await client.dags.delete([group.uniqueName]);
    return [
      ...unless(made === 1 && deleted === 1, 'one group is not counted as one'),
      ...unless(
        group?.uniqueName === 'crf_conformance',
        'the unique name of a group is not made of its name',
      ),
    ];
  }),
  write('dags.importAssignments', ['userDagMapping', 'import'], '10.2', async ({ client }) => {
    const assignments = await client.dags.exportAssignments();
    const count = await client.dags.importAssignments(assignments);
    return unless(count === assignments.length, 'the users are not counted');
  }),
  write('users.import, users.delete', ['user', 'import, delete'], '10.3', async ({ client }) => {
    const made = await client.users.import([{ username: USERNAME }]);
    const user = (await client.users.export()).find(({ username }) => username === USERNAME);
    const deleted = await client.users.delete([USERNAME]);
    return [
      ...unless(made === 1 && deleted === 1, 'one user is not counted as one'),
      ...unless(user?.rights.design === 0, 'a new user is missing, or has a right that nobody gave'),
    ];
  }),
  write('roles.import, roles.delete', ['userRole', 'import, delete'], '10.4', async ({ client }) => {
    const made = await client.roles.import([{ label: NAME }]);
    const role = (await client.roles.export()).find(({ label }) => label === NAME);
    const deleted = role === undefined ? 0 : await client.roles.delete([role.uniqueName]);
    return [
      ...unless(made === 1 && deleted === 1, 'one role is not counted as one'),
      ...unless(
        /^U-[A-Z0-9]{10}$/.test(role?.uniqueName ?? ''),
        'the unique name of a role is not U- and ten capitals and digits',
      ),
    ];
  }),
  write('roles.importAssignments', ['userRoleMapping', 'import'], '10.5', async ({ client }) => {
    const assignments = await client.roles.exportAssignments();
    const count = await client.roles.importAssignments(assignments);
    return unless(count === assignments.length, 'the users are not counted');
  }),
];
