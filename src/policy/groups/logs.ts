import { pipeline, Transform, type Readable } from 'node:stream';
import { formStatusName } from '../../domain/dictionary/export-column.js';
import { heard } from '../../domain/bytes/heard.js';
import { toLogEntry, type LogEntry } from '../../gateways/redcap/contents/logs.js';
import type { CallOptions, CrfCalls, LogSelection } from '../../gateways/redcap/crf-client.js';
import { JsonArraySplitter } from '../../gateways/redcap/json-array-splitter.js';
import { parseObject } from '../../records/formats/parse-row.js';
import { chunksOf } from '../../records/streaming/chunks-of.js';
import type { ProjectView } from '../project-view.js';
import { refused } from './refuse.js';

/**
 * The log of a view: what was done to its records, fields and events. Of REDCap's descriptions only the names of visible
 * fields are kept, because they contain values; they are found in a text without an unambiguous form, so that a hidden
 * value which imitates it, as in `', age = '`, can show its record as changed.
 *
 * @param shown the calls of the view, which know its records
 * @see docs/protocol/redcap.md 13.2 (client)
 */
export function logsOf(
  calls: CrfCalls,
  view: ProjectView,
  shown: Pick<CrfCalls, 'exportRecords' | 'getMetadata' | 'dags' | 'events'>,
): CrfCalls['logs'] {
  if (view.logs === 'none' || view.deidentify !== undefined) return refused('export', 'open');
  const open = async (selection: LogSelection = {}): Promise<Readable> => {
    const { signal, caller, traceparent } = selection;
    const call = { signal, caller, traceparent };
    const [sees, dag] = await Promise.all([
      sightOf(shown, view, selection, call),
      groupOf(shown, selection.dag, call),
    ]);
    const rows = new VisibleRows(sees);
    // The reader of the rows learns of a failure from them.
    pipeline(await calls.logs.open({ ...selection, dag }), rows, () => undefined);
    return rows;
  };
  return {
    open,
    export: async (selection) => {
      const text: Buffer[] = [];
      for await (const chunk of chunksOf(await open(selection))) text.push(chunk);
      return (JSON.parse(Buffer.concat(text).toString()) as unknown[]).map(toLogEntry);
    },
  };
}

/** Returns what an entry looks like in the view; undefined if it is not one of it. */
type Sight = (entry: LogEntry) => Pick<LogEntry, 'details'> | undefined;

/** Only what changes a record has a text whose fields are known. */
const KINDS: ReadonlySet<LogEntry['kind']> = new Set([
  'record_created',
  'record_updated',
  'record_deleted',
  'file_uploaded',
  'file_downloaded',
  'file_deleted',
]);

async function sightOf(
  shown: Pick<CrfCalls, 'exportRecords' | 'getMetadata' | 'events'>,
  view: ProjectView,
  { record }: LogSelection,
  call: CallOptions,
): Promise<Sight> {
  const [fields, events] = await Promise.all([shown.getMetadata(call), shown.events.export(call)]);
  const names = new Set(fields.flatMap(({ name, instrument }) => [name, formStatusName(instrument)]));
  const places = new Set(events.map(({ armNumber, label }) => `${armNumber} ${label}`));
  const idField = fields[0]?.name ?? '';
  const records = record === undefined ? undefined : [record];
  // A record that was deleted is in no group any more, and belongs to a view of all records only.
  const rows =
    view.rows.kind === 'all' ? [] : await shown.exportRecords({ ...call, records, fields: [idField] });
  const ids = new Set(rows.map((row) => row[idField]));
  return ({ kind, record: id, eventLabel, armNumber, fields: changed, repeatInstance }) => {
    if (!KINDS.has(kind) || id === undefined) return undefined;
    if (view.rows.kind !== 'all' && !ids.has(id)) return undefined;
    if (view.events !== undefined && !places.has(`${armNumber} ${eventLabel}`)) return undefined;
    const seen = changed.filter((name) => names.has(name));
    if (seen.length === 0 && (kind !== 'record_deleted' || changed.length > 0)) return undefined;
    if (kind.startsWith('file_')) return { details: seen.join(', ') };
    const instance = repeatInstance === undefined ? [] : [`[instance = ${repeatInstance}]`];
    return { details: [...instance, ...seen.map((name) => `${name} = ''`)].join(', ') };
  };
}

/** A number that no group has: it is refused as every group that is not there. */
const NO_GROUP = 2_147_483_647;

async function groupOf(
  shown: Pick<CrfCalls, 'dags'>,
  dag: number | undefined,
  call: CallOptions,
): Promise<number | undefined> {
  if (dag === undefined) return undefined;
  return (await shown.dags.export(call)).some(({ id }) => id === dag) ? dag : NO_GROUP;
}

/** Rewrites the rows of a log one by one, in constant memory. */
class VisibleRows extends Transform {
  readonly #splitter = new JsonArraySplitter();
  #isFirst = true;

  constructor(private readonly sight: Sight) {
    super();
    heard(this);
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#attempt(done, () =>
      this.#splitter.push(chunk, (bytes, start, end) => this.#write(bytes.subarray(start, end))),
    );
  }

  override _flush(done: (error?: Error | null) => void): void {
    this.#attempt(done, () => {
      this.#splitter.end();
      this.push(this.#isFirst ? '[]' : ']');
    });
  }

  #attempt(done: (error?: Error | null) => void, work: () => void): void {
    try {
      work();
      done();
    } catch (error) {
      done(error as Error);
    }
  }

  #write(json: Buffer): void {
    const row = parseObject(json);
    const seen = this.sight(toLogEntry(row));
    if (seen === undefined) return;
    this.push(`${this.#isFirst ? '[' : ','}${JSON.stringify({ ...row, ...seen })}`);
    this.#isFirst = false;
  }
}
