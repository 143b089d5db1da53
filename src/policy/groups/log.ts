import type { Readable } from 'node:stream';
import { formStatusName } from '../../domain/dictionary/export-column.js';
import { groupNamed, toLogEntry, type LogEntry } from '../../gateways/redcap/contents/log.js';
import type { CallOptions, CrfCalls, FieldSource, LogSelection } from '../../gateways/redcap/crf-client.js';
import { parseObject } from '../../records/formats/parse-row.js';
import { jsonRowsOf } from '../../records/streaming/chunks-of.js';
import { GeneratorStream } from '../../records/streaming/generator-stream.js';
import { refused } from '../column-access.js';
import type { ProjectView } from '../project-view.js';

/**
 * The log of a view: what was done to its records, fields and events. Of REDCap's descriptions only the names of visible
 * fields are kept, because they contain values; they are found in a text without an unambiguous form, so that a hidden
 * value which imitates it, as in `', age = '`, can show its record as changed.
 *
 * @param shown the calls of the view, which know its records
 * @see docs/protocol/redcap.md 13.2 (client)
 */
export function logOf(
  calls: CrfCalls,
  view: ProjectView,
  shown: FieldSource & Pick<CrfCalls, 'exportRecords' | 'dags' | 'events'>,
): CrfCalls['log'] {
  if (view.log === 'none' || view.deidentify !== undefined) return refused('list', 'open');
  const open = async (selection: LogSelection = {}): Promise<Readable> => {
    const { signal, caller, traceparent } = selection;
    const call = { signal, caller, traceparent };
    // A group that the view hides is refused as one that is not there.
    if (selection.dag !== undefined) groupNamed(await shown.dags.list(call), selection.dag);
    const sees = await sightOf(shown, view, selection, call);
    const source = await calls.log.open(selection);
    return new GeneratorStream(visibleRows(source, sees), () => void source.destroy());
  };
  return {
    open,
    list: async (selection) => {
      const entries: LogEntry[] = [];
      for await (const rows of jsonRowsOf(await open(selection)))
        for (const row of rows) entries.push(toLogEntry(parseObject(row)));
      return entries;
    },
  };
}

/** Returns what an entry looks like in the view; undefined if it is not one of it. */
type Sight = (entry: LogEntry) => Pick<LogEntry, 'details'> | undefined;

/** Only what changes a record has a text whose fields are known. */
const ACTIONS: ReadonlySet<LogEntry['action']> = new Set([
  'record_created',
  'record_updated',
  'record_deleted',
  'file_uploaded',
  'file_downloaded',
  'file_deleted',
]);

async function sightOf(
  shown: FieldSource & Pick<CrfCalls, 'exportRecords' | 'events'>,
  view: ProjectView,
  { record }: LogSelection,
  call: CallOptions,
): Promise<Sight> {
  const [fields, events] = await Promise.all([shown.fields.list(call), shown.events.list(call)]);
  const names = new Set(fields.flatMap(({ name, instrument }) => [name, formStatusName(instrument)]));
  const places = new Set(events.map(({ arm, label }) => `${arm} ${label}`));
  const idField = fields[0]?.name ?? '';
  const records = record === undefined ? undefined : [record];
  // A record that was deleted is in no group any more, and belongs to a view of all records only.
  const rows =
    view.rows.kind === 'all' ? [] : await shown.exportRecords({ ...call, records, fields: [idField] });
  const ids = new Set(rows.map((row) => row[idField]));
  return ({ action, record: id, eventLabel, arm, fields: changed, instance }) => {
    if (!ACTIONS.has(action) || id === undefined) return undefined;
    if (view.rows.kind !== 'all' && !ids.has(id)) return undefined;
    if (view.events !== undefined && !places.has(`${arm} ${eventLabel}`)) return undefined;
    const seen = changed.filter((name) => names.has(name));
    if (seen.length === 0 && (action !== 'record_deleted' || changed.length > 0)) return undefined;
    if (action.startsWith('file_')) return { details: seen.join(', ') };
    const place = instance === undefined ? [] : [`[instance = ${instance}]`];
    return { details: [...place, ...seen.map((name) => `${name} = ''`)].join(', ') };
  };
}

/** Rewrites the rows of a log as they arrive, in constant memory. */
async function* visibleRows(source: Readable, sight: Sight): AsyncGenerator<Buffer, void, undefined> {
  let before = '[';
  for await (const rows of jsonRowsOf(source)) {
    let text = '';
    for (const json of rows) {
      const row = parseObject(json);
      const seen = sight(toLogEntry(row));
      if (seen === undefined) continue;
      text += before + JSON.stringify({ ...row, ...seen });
      before = ',';
    }
    if (text !== '') yield Buffer.from(text);
  }
  yield Buffer.from(before === '[' ? '[]' : ']');
}
