import type { FileHandle } from 'node:fs/promises';
import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import type { CrfClient, RecordSelection } from '../../gateways/redcap/crf-client.js';
import { byteLines } from './byte-lines.js';

interface ResumePoint {
  /** Number of rows to keep. */
  readonly rows: number;
  /** Number of bytes that those rows take up. */
  readonly bytes: number;
  /** The IDs still to export, in order; empty if none are left. */
  readonly remaining: readonly string[];
}

/**
 * Reads the partial file of an interrupted NDJSON export, without changing it. The rows of its last record are not
 * counted, as some may be missing: that record and those after it are exported again.
 *
 * @returns undefined when the project has no fields
 * @throws {InvalidRequestError} the rows have no record ID, or other columns or records than this export, or the file is
 *   not NDJSON
 */
export async function resumePoint(
  client: CrfClient,
  part: FileHandle,
  selection: RecordSelection,
  signal: AbortSignal,
): Promise<ResumePoint | undefined> {
  const [idField] = await client.fields.list({ signal });
  if (idField === undefined) return undefined;

  const { done, rows, bytes, columns } = await readDone(part, idField.name);
  const ids = new Set<string>();
  for await (const row of client.streamRecords({
    ...selection,
    forms: undefined,
    fields: [idField.name],
    signal,
  })) {
    ids.add(String(row[idField.name]));
  }
  if ([...done].some((id) => !ids.has(id))) throw new InvalidRequestError([OTHER_RECORDS]);
  const remaining = [...ids].filter((id) => !done.has(id));
  const [next] = remaining;
  if (rows > 0 && next !== undefined) {
    const [row] = await client.exportRecords({ ...selection, records: [next], signal });
    if (row !== undefined && columnsOf(row) !== columns) throw new InvalidRequestError([OTHER_COLUMNS]);
  }
  return { rows, bytes, remaining };
}

/** Returns the complete records, which are all but the last one, and the offset at which the last one starts. */
async function readDone(
  part: FileHandle,
  idField: string,
): Promise<{ done: ReadonlySet<string>; rows: number; bytes: number; columns: string }> {
  const done = new Set<string>();
  let columns = '';
  let current: string | undefined;
  let [rows, bytes, line, start] = [0, 0, 0, 0];
  for await (const { text, end } of byteLines(part)) {
    const row = rowOf(text);
    if (row === undefined && line === 0) throw new InvalidRequestError([NOT_NDJSON]);
    if (row === undefined) break; // not a row: export again from here
    if (line === 0) columns = columnsOf(row);
    const id = idOf(row, idField);
    if (id !== current) {
      if (current !== undefined) done.add(current);
      [current, rows, bytes] = [id, line, start];
    }
    line += 1;
    start = end;
  }
  return { done, rows, bytes, columns };
}

const NOT_NDJSON = { field: '--resume', message: 'needs an NDJSON export to go on with' };

const OTHER_COLUMNS = {
  field: '--resume',
  message: 'needs the options of the interrupted export, whose rows have other columns',
};

const OTHER_RECORDS = {
  field: '--resume',
  message:
    'needs the options of the interrupted export, which has records that this one does not select (if they were deleted since, export everything again with --force)',
};

type Row = Readonly<Record<string, unknown>>;

function rowOf(line: string): Row | undefined {
  try {
    const row: unknown = JSON.parse(line);
    return typeof row === 'object' && row !== null ? (row as Row) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the columns of the fields. REDCap adds those of events and repeat instances only where they are used. */
function columnsOf(row: Row): string {
  return Object.keys(row)
    .filter((name) => !name.startsWith('redcap_'))
    .join();
}

function idOf(row: Row, idField: string): string {
  const id = row[idField];
  if (typeof id === 'string') return id;
  throw new InvalidRequestError([
    { field: '--resume', message: 'needs an export that has the record id among its fields' },
  ]);
}
