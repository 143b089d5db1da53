import * as document from './document-columns.js';
import { classicHasNone, read, unless, type Operation } from './operation.js';
import { rowDifferences, shapeDifferences } from './row-shape.js';

/** Operations that read the design of a project. */
export const STRUCTURE_READS: readonly Operation[] = [
  read('getVersion', ['version', 'export'], '13.3', async ({ client }) =>
    unless(/^\d+\.\d+\.\d+$/.test(await client.getVersion()), 'the version is not three numbers with dots'),
  ),
  read('ping', ['version', 'export'], '13.3', async ({ client }) => {
    await client.ping();
    return [];
  }),
  read('getProjectInfo', ['project', 'export'], '9.5', async ({ client }) => {
    await client.getProjectInfo();
    const answer = await client.call('project', {}, undefined, { isRead: true });
    return rowDifferences([answer], document.PROJECT_COLUMNS);
  }),
  read('getMetadata', ['metadata', 'export'], '8.1', async ({ client }) => {
    await client.getMetadata();
    return shapeDifferences(client, 'metadata', document.FIELD_COLUMNS);
  }),
  read('dictionary.exportFieldNames', ['exportFieldNames', 'export'], '8.6', async ({ client, subject }) => {
    const names = await client.dictionary.exportFieldNames();
    return [
      ...unless(names[0]?.fieldName === subject.idField, 'the first name is not that of the id field'),
      ...(await shapeDifferences(client, 'exportFieldNames', document.FIELD_NAME_COLUMNS)),
    ];
  }),
  read('dictionary.exportValidations', ['fieldValidation', 'export'], '8.5', async ({ client }) => {
    const validations = await client.dictionary.exportValidations();
    return [
      ...unless(validations.length > 0, 'there is no validation'),
      ...(await shapeDifferences(client, 'fieldValidation', document.VALIDATION_COLUMNS, {
        action: 'export',
      })),
    ];
  }),
  read('instruments.export', ['instrument', 'export'], '8.7', async ({ client, subject }) => [
    ...unless(
      subject.fields.every(({ instrument }) => subject.instruments.some(({ name }) => name === instrument)),
      'a field belongs to no instrument of the list',
    ),
    ...(await shapeDifferences(client, 'instrument', document.INSTRUMENT_COLUMNS)),
  ]),
  read(
    'instruments.exportEventMappings',
    ['formEventMapping', 'export'],
    '9.3',
    async ({ client }) => {
      await client.instruments.exportEventMappings();
      return shapeDifferences(client, 'formEventMapping', document.MAPPING_COLUMNS);
    },
    { notFor: classicHasNone },
  ),
  read(
    'instruments.exportRepeating',
    ['repeatingFormsEvents', 'export'],
    '9.4',
    async ({ client }) => {
      await client.instruments.exportRepeating();
      return shapeDifferences(client, 'repeatingFormsEvents', document.REPEATING_COLUMNS);
    },
    {
      notFor: ({ project }) =>
        project.hasRepeatingInstrumentsOrEvents ? undefined : 'nothing repeats in the project',
    },
  ),
  read(
    'arms.export',
    ['arm', 'export'],
    '9.1',
    async ({ client }) => {
      await client.arms.export();
      return shapeDifferences(client, 'arm', document.ARM_COLUMNS);
    },
    { notFor: classicHasNone },
  ),
  read(
    'events.export',
    ['event', 'export'],
    '9.2',
    async ({ client }) => {
      await client.events.export();
      return shapeDifferences(client, 'event', document.EVENT_COLUMNS);
    },
    { notFor: classicHasNone },
  ),
];
