import { readCsvRows } from '../../dictionary/csv-rows.js';
import { parseDictionaryCsv } from '../../dictionary/dictionary-csv.js';
import { formStatusName } from '../../dictionary/export-column.js';
import type { Field } from '../../dictionary/field.js';
import { InvalidRequestError } from '../../errors/caller-errors.js';
import type { Study, StudyEvent, StudyMapping, StudyRepeating } from '../redcap/study.js';
import { DEMO_USERS } from './demo-study.js';

export interface StudyFiles {
  /** A data dictionary: an export of the API, or a file of REDCap's web page. */
  readonly dictionaryCsv: string;
  /** Records as REDCap exports them: flat, raw. */
  readonly recordsCsv?: string | undefined;
  readonly title?: string | undefined;
}

type Row = Readonly<Record<string, string>>;

/**
 * Makes a study of a user's own files. Events and repeating instruments are those that the records name: an instrument
 * stands at an event where a record has a value of it.
 *
 * @throws {InvalidRequestError} naming the file, the row and the rule, never a value
 */
export function loadStudy({ dictionaryCsv, recordsCsv, title = 'My project (sandbox)' }: StudyFiles): Study {
  const fields = parseDictionaryCsv(dictionaryCsv);
  const rows = recordsCsv === undefined ? [] : parseRecords(recordsCsv, fields);
  const instruments = [...new Set(fields.map(({ instrument }) => instrument))];
  const events = eventsOf(rows);
  return {
    project: {
      title,
      notes: '',
      purpose: 0,
      piFirstName: '',
      piLastName: '',
      surveysEnabled: false,
      missingDataCodes: '',
      creationTime: '2026-01-05 09:00:00',
    },
    fields,
    instruments: instruments.map((name) => ({ name, label: labelOf(name) })),
    arms: [...new Set(events.map(({ armNumber }) => armNumber))].map((number) => ({
      number,
      name: `Arm ${number}`,
    })),
    events,
    mappings: mappingsOf(rows, fields, events),
    repeating: repeatingOf(rows),
    users: DEMO_USERS,
    rows,
  };
}

function parseRecords(text: string, [idField]: readonly Field[]): Row[] {
  const [header, ...rows] = readCsvRows('records', text);
  const columns = header?.cells ?? [];
  const idAt = columns.indexOf(idField?.name ?? '');
  const nameless = rows.filter(({ cells }) => !cells[idAt]);
  if (nameless.length > 0) {
    throw new InvalidRequestError(
      nameless
        .slice(0, 100)
        .map(({ number }) => ({ field: `records row ${number}`, message: 'has no record id' })),
    );
  }
  return rows.map(({ cells }) => {
    const row = Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? '']));
    // Data access groups are not part of the sandbox.
    delete row.redcap_data_access_group;
    return row;
  });
}

function eventsOf(rows: readonly Row[]): StudyEvent[] {
  const names = [...new Set(rows.map((row) => row.redcap_event_name ?? ''))].filter((name) => name !== '');
  return names.map((uniqueName) => ({
    uniqueName,
    label: labelOf(uniqueName.replace(/_arm_\d+[a-z]?$/, '')),
    armNumber: Number(/_arm_(\d+)/.exec(uniqueName)?.[1] ?? 1),
  }));
}

function mappingsOf(
  rows: readonly Row[],
  fields: readonly Field[],
  events: readonly StudyEvent[],
): StudyMapping[] {
  // A form without a value at an event has a status there all the same; the record id stands on every row. (wire)
  const instrumentOf = new Map(
    fields.flatMap(({ name, instrument }) => [
      [name, instrument],
      [formStatusName(instrument), instrument],
    ]),
  );
  instrumentOf.delete(fields[0]?.name ?? '');
  const found = new Map<string, StudyMapping>();
  for (const row of rows) {
    const event = row.redcap_event_name ?? '';
    for (const [column, value] of Object.entries(row)) {
      const instrument = instrumentOf.get(column.replace(/___.*$/, '')) ?? '';
      if (value === '' || instrument === '' || event === '') continue;
      found.set(`${event}\n${instrument}`, { uniqueEventName: event, instrument });
    }
  }
  const order = (mapping: StudyMapping): number =>
    events.findIndex(({ uniqueName }) => uniqueName === mapping.uniqueEventName);
  return [...found.values()].sort((left, right) => order(left) - order(right));
}

function repeatingOf(rows: readonly Row[]): StudyRepeating[] {
  const found = new Map<string, StudyRepeating>();
  for (const row of rows) {
    if ((row.redcap_repeat_instance ?? '') === '') continue;
    const [event, instrument] = [row.redcap_event_name ?? '', row.redcap_repeat_instrument ?? ''];
    found.set(`${event}\n${instrument}`, { uniqueEventName: event, instrument, customLabel: '' });
  }
  return [...found.values()];
}

/** `clinical_assessment` reads `Clinical assessment`. */
function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
