import { DICTIONARY_COLUMNS } from '../../domain/dictionary/dictionary-csv.js';
import { classicHasNone, nothingRepeats, type Operation, read, readList, unless } from './operation.js';
import { type Column, columns, rowDifferences, shapeDifferences } from './row-shape.js';

/** @see docs/protocol/redcap.md 8.1 (wire) */
const FIELD_COLUMNS = columns('text', ...DICTIONARY_COLUMNS);

/** @see docs/protocol/redcap.md 8.7 (wire) */
const INSTRUMENT_COLUMNS = columns('text', 'instrument_name', 'instrument_label');

/** @see docs/protocol/redcap.md 9.5 (client) */
const PROJECT_COLUMNS: readonly Column[] = [
  ...columns('number', 'project_id'),
  ...columns('text', 'project_title', 'creation_time', 'production_time'),
  ...columns('number', 'in_production'),
  ...columns('text', 'project_language'),
  ...columns('number', 'purpose'),
  ...columns('any', 'purpose_other', 'project_notes', 'custom_record_label', 'secondary_unique_field'),
  ...columns('number', 'is_longitudinal', 'has_repeating_instruments_or_events', 'surveys_enabled'),
  ...columns('number', 'scheduling_enabled', 'record_autonumbering_enabled', 'randomization_enabled'),
  ...columns('number', 'ddp_enabled'),
  ...columns('any', 'project_irb_number', 'project_grant_number'),
  ...columns('any', 'project_pi_firstname', 'project_pi_lastname', 'project_pi_email?'),
  ...columns('number', 'display_today_now_button'),
  ...columns('any', 'missing_data_codes', 'external_modules'),
  ...columns('number', 'bypass_branching_erase_field_prompt?'),
];

/** Operations that read the design of a project. */
export const STRUCTURE_READS: readonly Operation[] = [
  read(['getVersion', 'version', 'export', '13.3'], async ({ client }) =>
    unless(/^\d+\.\d+\.\d+$/.test(await client.getVersion()), 'the version is not three numbers with dots'),
  ),
  read(['ping', 'version', 'export', '13.3'], async ({ client }) => {
    await client.ping();
    return [];
  }),
  read(['getProjectInfo', 'project', 'export', '9.5'], async ({ client }) => {
    await client.getProjectInfo();
    const answer = await client.call('project', {}, undefined, { isRead: true });
    return rowDifferences([answer], PROJECT_COLUMNS);
  }),
  read(['getMetadata', 'metadata', 'export', '8.1'], async ({ client }) => {
    await client.getMetadata();
    return shapeDifferences(client, 'metadata', FIELD_COLUMNS);
  }),
  readList('export-columns', (names, { idField }) =>
    unless(names[0]?.fieldName === idField, 'the first name is not that of the id field'),
  ),
  readList('validations', ({ length }) => unless(length > 0, 'there is no validation')),
  read(['instruments.export', 'instrument', 'export', '8.7'], async ({ client, subject }) => [
    ...unless(
      subject.fields.every(({ instrument }) => subject.instruments.some(({ name }) => name === instrument)),
      'a field belongs to no instrument of the list',
    ),
    ...(await shapeDifferences(client, 'instrument', INSTRUMENT_COLUMNS)),
  ]),
  readList('mappings', undefined, classicHasNone),
  readList('repeating', undefined, nothingRepeats),
  readList('arms', undefined, classicHasNone),
  readList('events', undefined, classicHasNone),
];
