import type { OrUndefined } from '../../domain/identifiers/check-options.js';
import type { Readable } from 'node:stream';
import { ProblemError } from '../../domain/errors/problem-error.js';
import { NotInPolicyError } from '../../domain/errors/access-errors.js';
import type { CallOptions, CrfCalls, RecordRow, ReportForm } from '../../gateways/redcap/crf-client.js';
import { cellOf, recordIdOf } from '../../gateways/redcap/record-row.js';
import { parseRow } from '../../records/formats/parse-row.js';
import { textOf } from '../../records/rules/record-view.js';
import { jsonRowsOf } from '../../records/streaming/chunks-of.js';
import { GeneratorStream } from '../../records/streaming/generator-stream.js';
import type { ProjectView } from '../project-view.js';
import type { RecordExports } from '../record-exports.js';
import { EVENT, GROUP, REPEAT_INSTANCE, REPEAT_INSTRUMENT } from '../view-rows.js';
import { FlatRows, writtenRows } from '../written-rows.js';

/** How many rows of a report are looked up in the view at a time. */
const BATCH = 1000;

/**
 * The reports of a view: those that the policy lists; no other exists. REDCap's answer only says which rows a report
 * has, in which order and with which columns. Their values are those of the view, together with what decides about a
 * record. What the filter of a report reads is not known: whoever lists a report accepts it.
 */
export function reportsOf(calls: CrfCalls, view: ProjectView, exports: RecordExports): CrfCalls['reports'] {
  const start = async (
    report: number,
    form: OrUndefined<ReportForm> & CallOptions,
  ): Promise<VisibleReport> => {
    if (!view.reports.has(report)) throw new ProblemError('report_not_found');
    if (view.deidentify !== undefined) throw new NotInPolicyError();
    const { signal, caller, traceparent } = form;
    const call = { signal, caller, traceparent };
    const source = await calls.reports.open(report, { ...call, format: 'json' });
    return { source, ...(await visibleReport(source, exports, form, call)) };
  };
  return {
    get: async (report, form = {}) => {
      const { rows } = await start(report, { ...form, rawOrLabelHeaders: 'raw' });
      const found: RecordRow[] = [];
      for await (const some of rows) found.push(...some);
      return found;
    },
    open: async (report, { format, csvDelimiter, ...form }) => {
      const isJson = format === 'json';
      const { rows, writer, source } = await start(
        report,
        isJson ? { ...form, rawOrLabelHeaders: 'raw' } : form,
      );
      const bytes = writtenRows(isJson ? rows : onOneLine(rows), writer, { format, csvDelimiter });
      return new GeneratorStream(bytes, () => void source.destroy());
    },
  };
}

interface VisibleReport {
  readonly source: Readable;
  readonly rows: AsyncIterable<readonly RecordRow[]>;
  readonly writer: FlatRows;
}

/** @throws {NotInPolicyError} the report does not say which records its rows are of */
async function visibleReport(
  source: Readable,
  exports: RecordExports,
  form: OrUndefined<ReportForm>,
  call: CallOptions,
): Promise<Pick<VisibleReport, 'rows' | 'writer'>> {
  const batches = batchesIn(source);
  const { value: first = [] } = await batches.next();
  const names = Object.keys(first[0] ?? {});
  const { shown } = await exports.structures(call);
  const { dictionary } = shown;
  const fields = new Set(
    names.flatMap((name) => {
      const column = dictionary.column(name);
      const known = column?.field ?? dictionary.field(name);
      return known?.name ?? (column === undefined ? [] : name);
    }),
  );
  const idName = dictionary.recordIdField?.name ?? '';
  if (first.length > 0 && !names.includes(idName)) throw new NotInPolicyError();
  const selection = { visible: [], names: [idName, ...fields], isWhole: true, hasId: true };
  const isCombined = (name: string): boolean =>
    dictionary.field(name)?.type === 'checkbox' && names.includes(name);
  const asked = {
    exportDataAccessGroups: names.includes(GROUP),
    exportSurveyFields: names.some((name) => name.endsWith('_timestamp')),
  };
  const options = { ...form, ...asked, combineCheckboxOptions: [...fields].some(isCombined) };
  const writer = new FlatRows(await exports.columns(shown, selection, options, call));

  /** Writes the rows of a batch that the view has, with the columns of the report in its order. */
  const written = async (batch: readonly RecordRow[]): Promise<RecordRow[]> => {
    if (batch.length === 0) return [];
    const records = [...new Set(batch.map((row) => recordIdOf(row, idName)))];
    const found = await exports.export({ ...call, ...asked, records, fields: selection.names });
    const visible = new Map(found.map((row) => [placeIn(row, idName), row]));
    return batch.flatMap((row) => {
      const seen = visible.get(placeIn(row, idName));
      return seen === undefined ? [] : writer.write([arranged(seen, names)]);
    });
  };
  const rows = async function* (): AsyncGenerator<RecordRow[], void, undefined> {
    yield await written(first);
    for await (const batch of batches) yield await written(batch);
  };
  return { writer, rows: rows() };
}

/** Returns a row with these columns; a combined checkbox has those of its choices. */
function arranged(row: RecordRow, columns: readonly string[]): RecordRow {
  const parts = (name: string): string[] =>
    Object.keys(row).filter((column) => column.startsWith(`${name}___`));
  const names = columns.flatMap((name) => (Object.hasOwn(row, name) ? [name] : parts(name)));
  return Object.fromEntries(names.map((name) => [name, cellOf(row, name) ?? '']));
}

function placeIn(row: RecordRow, idName: string): string {
  return JSON.stringify([idName, EVENT, REPEAT_INSTRUMENT, REPEAT_INSTANCE].map((name) => textOf(row, name)));
}

async function* batchesIn(source: Readable): AsyncGenerator<readonly RecordRow[], undefined, undefined> {
  let rows: RecordRow[] = [];
  for await (const some of jsonRowsOf(source)) {
    rows.push(...some.map((bytes) => parseRow(bytes)));
    for (; rows.length >= BATCH; rows = rows.slice(BATCH)) yield rows.slice(0, BATCH);
  }
  yield rows;
  return undefined;
}

/** In a report as CSV the line breaks of a value are two blanks. @see docs/protocol/redcap.md 20 (client) */
async function* onOneLine(
  rows: AsyncIterable<readonly RecordRow[]>,
): AsyncGenerator<RecordRow[], void, undefined> {
  const flat = (cell: string | number): string | number =>
    typeof cell === 'string' ? cell.replace(/\r\n|\r|\n/g, '  ') : cell;
  const flatRow = (row: RecordRow): RecordRow =>
    Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, flat(cell)]));
  for await (const some of rows) yield some.map(flatRow);
}
