import { classicHasNone, unless, write, type Operation, type Subject } from './operation.js';

/** The name of everything that a run creates, so that anything left behind after a failure can be recognized. */
const NAME = 'crf conformance';

const nothingRepeats = ({ project }: Subject): string | undefined =>
  project.hasRepeatingInstrumentsOrEvents ? undefined : 'nothing repeats in the project';

/** Operations that change the design. Each writes back existing data, or creates something and deletes it. */
export const DESIGN_WRITES: readonly Operation[] = [
  write('projects.changeSettings', ['project_settings', 'import'], '9.6', async ({ client, subject }) => {
    const count = await client.projects.changeSettings({ title: subject.project.title });
    return unless(count === 1, 'one setting is not counted as one');
  }),
  write('dictionary.import', ['metadata', 'import'], '8.8', async ({ client, subject }) => {
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
    'instruments.importEventMappings',
    ['formEventMapping', 'import'],
    '9.3',
    async ({ client }) => {
      const mappings = await client.instruments.exportEventMappings();
      const count = await client.instruments.importEventMappings(mappings);
      return unless(count === mappings.length, 'the mappings are not counted');
    },
    { notFor: classicHasNone },
  ),
  write(
    'instruments.importRepeating',
    ['repeatingFormsEvents', 'import'],
    '9.4',
    async ({ client }) => {
      const repeating = await client.instruments.exportRepeating();
      const count = await client.instruments.importRepeating(repeating);
      return unless(count === repeating.length, 'what repeats is not counted');
    },
    { notFor: nothingRepeats },
  ),
  write(
    'arms.import, arms.delete',
    ['arm', 'import, delete'],
    '9.1',
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
    { notFor: classicHasNone },
  ),
  write(
    'events.import, events.delete',
    ['event', 'import, delete'],
    '9.2',
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
    { notFor: classicHasNone },
  ),
];
