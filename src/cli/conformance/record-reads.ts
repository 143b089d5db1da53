import { buffer } from 'node:stream/consumers';
import type { RecordRow } from '../../gateways/redcap/crf-client.js';
import { emptyHasNone, type Operation, type Probe, read, unless } from './operation.js';

/** Operations that read records. Values are checked for their type but never reported. */
export const RECORD_READS: readonly Operation[] = [
  read(['exportRecords', 'record', 'export', '4.4', { notFor: emptyHasNone }], async (probe) => {
    const rows = await exportOne(probe);
    return [
      ...unless(rows.length > 0, 'a record that is in the project is not exported by its name'),
      ...unless(rows.every(hasTextsOnly), 'a value is neither a text nor a repeat instance'),
      ...structuralDifferences(probe, rows),
      ...(await unknownRecordDifferences(probe)),
      ...(await strangeInstanceDifferences(probe)),
    ];
  }),
  read(
    ['exportRecords (eav)', 'record', 'export', '4.5', { notFor: emptyHasNone }],
    async ({ client, subject: { record } }) => {
      const rows = await client.exportRecords({ records: [record?.id ?? ''], type: 'eav' });
      const [names] = rows.map((row) => Object.keys(row));
      return [
        ...unless(names?.[0] === 'record', 'the first column is not record'),
        ...unless(
          names?.slice(-2).join() === 'field_name,value',
          'the last columns are not field_name and value',
        ),
        ...unless(
          rows.every((row) => row.value !== ''),
          'a row has a blank value',
        ),
      ];
    },
  ),
  read(
    ['openRecords', 'record', 'export', '1.8', { notFor: emptyHasNone }],
    async ({ client, subject: { idField, record } }) => {
      const stream = await client.openRecords({
        format: 'csv',
        fields: [idField],
        records: [record?.id ?? ''],
      });
      const text = (await buffer(stream)).toString('utf8');
      return [
        ...unless(text.startsWith(idField), 'CSV does not begin with the name of the id field'),
        ...unless(!text.includes('\r\n'), 'lines of CSV end with CR LF'),
        ...unless(text.endsWith('\n'), 'CSV does not end with a line feed'),
      ];
    },
  ),
  read(['streamRecords', 'record', 'export', '4.3'], async ({ client, subject: { idField } }) => {
    let count = 0;
    for await (const row of client.streamRecords({ fields: [idField], limit: 5 })) {
      if (typeof row[idField] === 'string') count += 1;
      else return ['the id of a record is not text'];
    }
    return unless(count <= 5, 'more rows came than were asked for');
  }),
  read(
    ['getRecord', 'record', 'export', '4.4', { notFor: emptyHasNone }],
    async ({ client, subject: { record } }) => {
      const document = await client.getRecord(record?.id ?? '');
      return [
        ...unless(document.record === record?.id, 'a record is returned under another name'),
        ...unless(document.events.length > 0, 'a record that is in the project has no event'),
      ];
    },
  ),
  read(
    [
      'rows',
      'record',
      'export',
      '4.4',
      {
        notFor: (subject) =>
          emptyHasNone(subject) ??
          (subject.instrument === undefined
            ? 'no instrument is designated for the event of the first record'
            : undefined),
      },
    ],
    async ({ client, subject: { idField, instrument = '', record } }) => {
      const records = [record?.id ?? ''];
      for await (const row of client.rows(instrument, { records })) {
        if (row[idField] !== record?.id) return ['a row of an instrument is of another record'];
      }
      return [];
    },
  ),
  read(['checkFilterLogic', 'metadata', 'export', '7'], async ({ client, subject: { idField } }) =>
    unless(
      (await client.checkFilterLogic(`[${idField}] <> ''`)).length === 0,
      'filter logic over the id field is not understood',
    ),
  ),
  read(['records.nextId', 'generateNextRecordName', 'export', '6.4'], async ({ client }) =>
    unless((await client.records.nextId()).trim() !== '', 'the next name is blank'),
  ),
];

async function exportOne({ client, subject: { record } }: Probe): Promise<RecordRow[]> {
  return client.exportRecords({ records: [record?.id ?? ''] });
}

function hasTextsOnly(row: RecordRow): boolean {
  return Object.entries(row).every(
    ([name, value]) =>
      typeof value === 'string' || (name === 'redcap_repeat_instance' && Number.isInteger(value)),
  );
}

/** Checks the leading columns of a record. @see docs/protocol/redcap.md 4.2 (wire, client) */
function structuralDifferences(
  { subject: { idField, project } }: Probe,
  rows: readonly RecordRow[],
): string[] {
  const names = Object.keys(rows[0] ?? {});
  const expected = [
    idField,
    ...(project.isLongitudinal ? ['redcap_event_name'] : []),
    ...(project.hasRepeatingInstrumentsOrEvents
      ? ['redcap_repeat_instrument', 'redcap_repeat_instance']
      : []),
  ];
  return [
    ...unless(
      names.slice(0, expected.length).join() === expected.join(),
      'the columns of a row do not begin with the id, the event and the repeat columns',
    ),
  ];
}

/** @see docs/protocol/redcap.md 4.1 (client): unknown names are ignored, and an empty result is not an error */
async function unknownRecordDifferences({
  client,
  subject: { idField },
  scratchRecord,
}: Probe): Promise<readonly string[]> {
  const rows = await client.exportRecords({ records: [scratchRecord], fields: [idField] });
  return unless(rows.length === 0, 'a record that does not exist is exported');
}

/** @see docs/protocol/redcap.md 20 (wire, client): the instances of an instrument that is not requested have no row */
async function strangeInstanceDifferences({
  client,
  subject: { idField, record },
}: Probe): Promise<readonly string[]> {
  const rows = await client.exportRecords({ records: [record?.id ?? ''], fields: [idField] });
  return unless(
    rows.every(({ redcap_repeat_instrument: instrument = '' }) => instrument === ''),
    'an instrument that was not requested has rows',
  );
}
