import type { FileHandle } from 'node:fs/promises';
import { InvalidRequestError } from '../errors/caller-errors.js';
import type { CrfClient, RecordSelection } from '../gateways/redcap/crf-client.js';
import { byteLines } from './byte-lines.js';

/** Where an interrupted export goes on. */
export interface ResumePoint {
  /** Rows that are in the file already. */
  readonly rows: number;
  /** How much of the file those rows are. */
  readonly bytes: number;
  /** The ids that are still to be exported, in order; empty when none is. */
  readonly remaining: readonly string[];
}

/**
 * Reads what an interrupted NDJSON export has left: the rows of the last record are not counted, since there may have been
 * more of them, and what follows is exported anew. The file stays as it is.
 *
 * @returns undefined when there is nothing to go on with
 * @throws {InvalidRequestError} the rows have no record id, or the file is not NDJSON
 */
export async function resumePoint(
  client: CrfClient,
  part: FileHandle,
  selection: RecordSelection,
  signal: AbortSignal,
): Promise<ResumePoint | undefined> {
  const [idField] = await client.getMetadata({ signal });
  if (idField === undefined) return undefined;

  const { done, rows, bytes } = await readDone(part, idField.name);
  const ids = new Set<string>();
  for await (const row of client.streamRecords({
    ...selection,
    forms: undefined,
    fields: [idField.name],
    signal,
  })) {
    ids.add(String(row[idField.name]));
  }
  return { rows, bytes, remaining: [...ids].filter((id) => !done.has(id)) };
}

/** The records that are surely whole: all but the last one, whose first row tells where to cut. */
async function readDone(
  part: FileHandle,
  idField: string,
): Promise<{ done: ReadonlySet<string>; rows: number; bytes: number }> {
  const done = new Set<string>();
  let current: string | undefined;
  let [rows, bytes, line, start] = [0, 0, 0, 0];
  for await (const { text, end } of byteLines(part)) {
    const id = idOf(text, idField);
    if (id === undefined && line === 0) throw new InvalidRequestError([NOT_NDJSON]);
    if (id === undefined) break; // not a row: what follows is exported anew
    if (id !== current) {
      if (current !== undefined) done.add(current);
      [current, rows, bytes] = [id, line, start];
    }
    line += 1;
    start = end;
  }
  return { done, rows, bytes };
}

const NOT_NDJSON = { field: '--resume', message: 'needs an NDJSON export to go on with' };

function idOf(text: string, idField: string): string | undefined {
  let row: unknown;
  try {
    row = JSON.parse(text);
  } catch {
    return undefined;
  }
  const id = (row as Readonly<Record<string, unknown>> | null)?.[idField];
  if (typeof id === 'string') return id;
  throw new InvalidRequestError([
    { field: '--resume', message: 'needs an export that has the record id among its fields' },
  ]);
}
