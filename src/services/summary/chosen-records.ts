import { Writable } from 'node:stream';
import { heard } from '../../domain/bytes/heard.js';
import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import type { CallOptions, RecordSelection } from '../../gateways/redcap/crf-client.js';
import { delimiterByte } from '../../gateways/redcap/csv-delimiter.js';
import { csvCells, CsvRowSplitter } from '../../gateways/redcap/csv-row-splitter.js';
import { RecordExporter, type ExportClient } from '../../records/export/record-exporter.js';
import { checkRowsHeld } from '../../records/rules/records-of.js';
import { chosenEvents, isChosen, type ListFilter } from './list-filter.js';
import { dayOfText } from './listed-forms.js';

/** Selects part of a study: records by data access group, arm and day of joining, as `inDays` has it, and of their forms those of an event or arm. */
export type StudyFilter = Pick<ListFilter, 'dag' | 'arm' | 'event' | 'from' | 'until'>;

/** Whether a filter selects less than the whole study. */
export function isFiltered(filter: StudyFilter): boolean {
  return Object.values(filter).some((part) => part !== undefined);
}

/** The cells of a row, in the order of the header. */
export type Cells = readonly string[];

/** Receives the header, and then all rows of one record after the other. */
export interface RecordSink {
  /** @param names empty if the export has no header, because it has no record */
  header(names: readonly string[]): void;
  record(rows: readonly Cells[]): void;
}

/** Which records are read. */
export interface ChosenPart {
  readonly filter: StudyFilter;
  readonly structure: ProjectStructure;
  /** The field with the day on which a record joined. */
  readonly dateField: string | undefined;
}

/**
 * Reads the records that a filter selects from REDCap's CSV in one pass. REDCap exports the rows of a record one after
 * the other. Memory: a chunk of the answer, and the rows of a record, of which any may say where it belongs.
 *
 * @throws {UpstreamInvalidError} a record has more than 100,000 rows
 * @throws {CrfError} errors of `RecordExporter.open` and of its body
 * @see docs/protocol/redcap.md 4.2 (wire)
 */
export async function readChosen(
  client: ExportClient,
  selection: RecordSelection,
  sink: RecordSink,
  part: ChosenPart,
  call: CallOptions,
): Promise<void> {
  const splitter = new CsvRowSplitter(COMMA);
  const idField = part.structure.dictionary.recordIdField?.name ?? '';
  let idColumn: number | undefined;
  let isWanted = (_rows: readonly Cells[]): boolean => true;
  let held: Cells[] = [];
  const begin = (names: readonly string[]): void => {
    idColumn = names.indexOf(idField);
    if (isFiltered(part.filter)) isWanted = chosenBy(part, names);
    sink.header(names);
  };
  const pass = (): void => {
    if (held.length > 0 && isWanted(held)) sink.record(held);
    held = [];
  };
  const onRow = (source: Buffer, start: number, end: number): void => {
    const cells = cellsOf(source.subarray(start, end));
    if (idColumn === undefined) return begin(cells);
    if (held[0]?.[idColumn] !== cells[idColumn]) pass();
    checkRowsHeld(held.length);
    held.push(cells);
  };
  const finish = (): void => {
    splitter.end(onRow);
    if (idColumn === undefined) begin([]);
    pass();
  };
  const body = await new RecordExporter(client).open({ ...selection, format: 'csv' }, call);
  await body.pipeTo(
    heard(
      new Writable({
        write: (chunk: Buffer, _encoding, done) => attempt(() => splitter.push(chunk, onRow), done),
        final: (done) => attempt(finish, done),
      }),
    ),
  );
}

/** Returns whether a record is one of those that a filter selects. The first row with a value decides. */
function chosenBy({ filter, structure, dateField = '' }: ChosenPart, names: readonly string[]) {
  const [event, group, date] = ['redcap_event_name', 'redcap_data_access_group', dateField].map((name) =>
    names.indexOf(name),
  );
  const ofArm = chosenEvents({ arm: filter.arm }, structure);
  const firstIn = (rows: readonly Cells[], column = -1): string =>
    rows.map((cells) => cells[column] ?? '').find((text) => text !== '') ?? '';
  return (rows: readonly Cells[]): boolean => {
    if (ofArm !== undefined && !rows.some((cells) => ofArm.has(cells[event ?? -1] ?? ''))) return false;
    const joined = dayOfText(firstIn(rows, date));
    return isChosen({ record: '', dag: firstIn(rows, group), joined }, filter);
  };
}

const COMMA = delimiterByte(',');

/** Returns the cells of a row. Most rows have no quotes, and are split many times faster. */
export function cellsOf(row: Buffer): string[] {
  const text = row.toString();
  return /["\uFEFF]/.test(text) ? csvCells(row, COMMA) : text.split(',');
}

/** What a stream throws instead of passing it on would reach nobody. */
function attempt(work: () => void, done: (error?: Error) => void): void {
  try {
    work();
  } catch (error) {
    return done(error as Error);
  }
  done();
}
