import { readCsvRows } from '../../domain/dictionary/csv-rows.js';
import { parseDictionaryCsv } from '../../domain/dictionary/dictionary-csv.js';
import { formStatusName } from '../../domain/dictionary/export-column.js';
import type { Field } from '../../domain/dictionary/field.js';
import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import { refusal } from '../../domain/errors/refusal.js';
import type {
  Study,
  StudyEvent,
  StudyGroup,
  StudyMapping,
  StudyRepeating,
  StudySurvey,
} from '../redcap/study.js';
import { DEMO_USERS } from './demo-study.js';

export interface StudyFiles {
  /** A data dictionary, exported by the API or downloaded from REDCap's web page. */
  readonly dictionaryCsv: string;
  /** Records as exported by REDCap: flat, raw. */
  readonly recordsCsv?: string | undefined;
  readonly title?: string | undefined;
}

/** A study, with messages about what its files do not define and the sandbox derived from the records. */
export interface LoadedStudy {
  readonly study: Study;
  readonly notes: readonly string[];
}

type Row = Readonly<Record<string, string>>;

/**
 * Makes a study of a user's own files. The rest is derived from the records, with a note about it. For example, the
 * events are those in the records, and an instrument is designated for each event at which a record has a value for it.
 *
 * @throws {InvalidRequestError} naming the file, the row and the rule, never a value
 */
export async function loadStudy({ dictionaryCsv, recordsCsv, title }: StudyFiles): Promise<LoadedStudy> {
  const fields = await parseDictionaryCsv(dictionaryCsv);
  const rows = recordsCsv === undefined ? [] : await parseRecords(recordsCsv, fields);
  const events = eventsOf(rows);
  const mappings = mappingsOf(rows, fields, events);
  const repeating = repeatingOf(rows);
  const derived: [list: readonly unknown[], sentence: string][] = [
    [events, 'events are those that the records name, their labels made of the names'],
    [mappings, 'instruments stand at the events where a record has a value'],
    [repeating, 'what repeats is what has repeat instances in the records'],
  ];
  return {
    study: toStudy({ title, fields, rows, events, mappings, repeating }),
    notes: derived.flatMap(([list, sentence]) => (list.length > 0 ? [sentence] : [])),
  };
}

type Parts = Pick<Study, 'fields' | 'rows' | 'events' | 'mappings' | 'repeating'> & {
  readonly title: string | undefined;
};

function toStudy({ title = 'My project (sandbox)', fields, rows, ...structure }: Parts): Study {
  const instruments = [...new Set(fields.map(({ instrument }) => instrument))];
  const surveys = surveysOf(rows, instruments, new Set(fields.map(({ name }) => name)));
  const hasSurveyCells = rows.some((row) => row.redcap_survey_identifier !== undefined);
  return {
    project: {
      title,
      notes: '',
      purpose: 0,
      piFirstName: '',
      piLastName: '',
      surveysEnabled: surveys.length > 0 || hasSurveyCells,
      missingDataCodes: '',
      creationTime: '2026-01-05 09:00:00',
    },
    fields,
    instruments: instruments.map((name) => ({ name, label: labelOf(name) })),
    arms: [...new Set(structure.events.map(({ arm }) => arm))].map((number) => ({
      number,
      name: `Arm ${number}`,
    })),
    ...structure,
    groups: groupsOf(rows),
    surveys,
    users: DEMO_USERS,
    rows,
  };
}

async function parseRecords(text: string, [idField]: readonly Field[]): Promise<Row[]> {
  const [header, ...rows] = await readCsvRows('records', text);
  const columns = header?.cells ?? [];
  const { name = '' } = idField ?? {};
  const idAt = columns.indexOf(name);
  if (idAt === -1 && rows.length > 0)
    throw refusal('records', `has no column ${name}, which is the record ID field of the dictionary`);
  const nameless = rows
    .filter(({ cells }) => !cells[idAt])
    .map(({ number }) => ({ field: `records row ${number}`, message: 'has no record id' }));
  if (nameless.length > 0) throw new InvalidRequestError(nameless.slice(0, 100));
  return rows.map(({ cells }) => Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? ''])));
}

/** Derives the data access groups from the records. */
function groupsOf(rows: readonly Row[]): StudyGroup[] {
  const names = [...new Set(rows.map((row) => row.redcap_data_access_group ?? ''))];
  return names
    .filter((name) => name !== '')
    .map((uniqueName, index) => ({ uniqueName, name: labelOf(uniqueName), id: index + 1 }));
}

/** Returns the instruments that are surveys: those with timestamps in the records. */
function surveysOf(
  rows: readonly Row[],
  instruments: readonly string[],
  fields: ReadonlySet<string>,
): StudySurvey[] {
  const columns = new Set(rows.flatMap((row) => Object.keys(row)));
  return instruments
    .filter((name) => columns.has(`${name}_timestamp`) && !fields.has(`${name}_timestamp`))
    .map((instrument) => ({ instrument, hasReturnCodes: false }));
}

function eventsOf(rows: readonly Row[]): StudyEvent[] {
  const names = [...new Set(rows.map((row) => row.redcap_event_name ?? ''))].filter((name) => name !== '');
  return names.map((uniqueName) => ({
    uniqueName,
    label: labelOf(uniqueName.replace(/_arm_\d+[a-z]?$/, '')),
    arm: Number(/_arm_(\d+)/.exec(uniqueName)?.[1] ?? 1),
  }));
}

function mappingsOf(
  rows: readonly Row[],
  fields: readonly Field[],
  events: readonly StudyEvent[],
): StudyMapping[] {
  // A form without values still has a status at its events. The record ID is on every row, so it is ignored. (wire)
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
      found.set(`${event}\n${instrument}`, { event, instrument });
    }
  }
  const order = (mapping: StudyMapping): number =>
    events.findIndex(({ uniqueName }) => uniqueName === mapping.event);
  return [...found.values()].sort((left, right) => order(left) - order(right));
}

function repeatingOf(rows: readonly Row[]): StudyRepeating[] {
  const found = new Map<string, StudyRepeating>();
  for (const row of rows) {
    if ((row.redcap_repeat_instance ?? '') === '') continue;
    const [event, instrument] = [row.redcap_event_name ?? '', row.redcap_repeat_instrument ?? ''];
    found.set(`${event}\n${instrument}`, { event, instrument, customLabel: '' });
  }
  return [...found.values()];
}

/** Makes a label: `clinical_assessment` becomes `Clinical assessment`. */
function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
