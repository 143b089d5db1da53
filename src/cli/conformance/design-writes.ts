import { classicHasNone, nothingRepeats, type Operation, unless, write } from './operation.js';

/** The name of everything that a run creates, so that anything left behind after a failure can be recognized. */
const NAME = 'crf conformance';

/** Operations that change the design. Each writes back existing data, or creates something and deletes it. */
export const DESIGN_WRITES: readonly Operation[] = [
  write(['projects.changeSettings', 'project_settings', 'import', '9.6'], async ({ client, subject }) => {
    const count = await client.projects.changeSettings({ title: subject.project.title });
    return unless(count === 1, 'one setting is not counted as one');
  }),
  write(['dictionary.import', 'metadata', 'import', '8.8'], async ({ client, subject }) => {
    const count = await client.dictionary.import(subject.fields);
    const after = await client.getMetadata();
    return [
      ...unless(count === subject.fields.length, 'the fields of the dictionary are not counted'),
      ...unless(
        JSON.stringify(after) === JSON.stringify(subject.fields),
        'a dictionary that was written back is another one',
      ),
    ];
  }),
  write(
    ['instruments.importEventMappings', 'formEventMapping', 'import', '9.3', { notFor: classicHasNone }],
    async ({ client }) => {
      const mappings = await client.instruments.exportEventMappings();
      const count = await client.instruments.importEventMappings(mappings);
      return unless(count === mappings.length, 'the mappings are not counted');
    },
  ),
  write(
    ['instruments.importRepeating', 'repeatingFormsEvents', 'import', '9.4', { notFor: nothingRepeats }],
    async ({ client }) => {
      const repeating = await client.instruments.exportRepeating();
      const count = await client.instruments.importRepeating(repeating);
      return unless(count === repeating.length, 'what repeats is not counted');
    },
  ),
  write(
    ['arms.import, arms.delete', 'arm', 'import, delete', '9.1', { notFor: classicHasNone }],
    async ({ client }) => {
      const number = Math.max(...(await client.arms.export()).map((arm) => arm.number)) + 1;
      const made = await client.arms.import([{ number, name: NAME }]);
      const listed = await client.arms.export();
      const deleted = await client.arms.delete([number]);
      return [
        ...unless(made === 1 && deleted === 1, 'one arm is not counted as one'),
        ...unless(!listed.some((arm) => arm.number === number), 'an arm without events is listed'),
      ];
    },
  ),
  write(
    ['events.import, events.delete', 'event', 'import, delete', '9.2', { notFor: classicHasNone }],
    async ({ client, subject }) => {
      const armNumber = subject.events[0]?.armNumber ?? 1;
      const made = await client.events.import([{ label: NAME, armNumber }]);
      const event = (await client.events.export()).find(({ label }) => label === NAME);
      const deleted = event === undefined ? 0 : await client.events.delete([event.uniqueName]);
      return [
        ...unless(made === 1 && deleted === 1, 'one event is not counted as one'),
        ...unless(
          event?.uniqueName === `crf_conformance_arm_${armNumber}`,
          'the unique name of an event is not made of its label and its arm',
        ),
      ];
    },
  ),
];

const USERNAME = 'crf_conformance';

/** Operations that change groups, users and roles. Each creates one and deletes it, or writes back existing data. */
export const PEOPLE_WRITES: readonly Operation[] = [
  write(['dags.import, dags.delete', 'dag', 'import, delete', '10.1'], async ({ client }) => {
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
  write(['dags.importAssignments', 'userDagMapping', 'import', '10.2'], async ({ client }) => {
    const assignments = await client.dags.exportAssignments();
    const count = await client.dags.importAssignments(assignments);
    return unless(count === assignments.length, 'the users are not counted');
  }),
  write(['users.import, users.delete', 'user', 'import, delete', '10.3'], async ({ client }) => {
    const made = await client.users.import([{ username: USERNAME }]);
    const user = (await client.users.export()).find(({ username }) => username === USERNAME);
    const deleted = await client.users.delete([USERNAME]);
    return [
      ...unless(made === 1 && deleted === 1, 'one user is not counted as one'),
      ...unless(user?.rights.design === 0, 'a new user is missing, or has a right that nobody gave'),
    ];
  }),
  write(['roles.import, roles.delete', 'userRole', 'import, delete', '10.4'], async ({ client }) => {
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
  write(['roles.importAssignments', 'userRoleMapping', 'import', '10.5'], async ({ client }) => {
    const assignments = await client.roles.exportAssignments();
    const count = await client.roles.importAssignments(assignments);
    return unless(count === assignments.length, 'the users are not counted');
  }),
];
