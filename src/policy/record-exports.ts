import type { Readable } from 'node:stream';
import { UpstreamInvalidError } from '../errors/upstream-errors.js';
import { NotInPolicyError } from '../errors/caller-errors.js';
import type {
  CallOptions,
  CrfCalls,
  ExportRecordsOptions,
  OpenRecordsOptions,
  RecordRow,
  RecordSelection,
  PartOptions,
} from '../gateways/redcap/crf-client.js';
import { CSV_DELIMITERS, type CsvDelimiter } from '../gateways/redcap/csv-delimiter.js';
import { JsonArraySplitter } from '../gateways/redcap/json-array-splitter.js';
import { parseRow } from '../records/formats/parse-row.js';
import { loadProjectStructure } from '../records/load-project-structure.js';
import { GeneratorStream } from '../records/streaming/generator-stream.js';
import { readOwnRecord } from './own-record.js';
import type { ProjectView } from './project-view.js';
import { GROUP, ViewRows } from './view-rows.js';
import { refuseOptions, selectVisible } from './visible-selection.js';

/** An export that was checked against the view: what REDCap's own answer is that of the view for, or the rows. */
type Plan =
  { readonly passes: Selection } | { readonly rows: AsyncIterable<RecordRow[]>; readonly cancel: () => void };

type Selection = RecordSelection & CallOptions & PartOptions;

/**
 * The exports of a view. Only visible fields are asked for, and, for the decision about a record, its group. If that is
 * all that the view hides, REDCap's own bytes are passed on; otherwise its rows are read one by one, in constant memory.
 */
export class RecordExports {
  constructor(
    private readonly calls: CrfCalls,
    private readonly view: ProjectView,
  ) {}

  async export(options: ExportRecordsOptions = {}): Promise<RecordRow[]> {
    const plan = await this.#plan(options);
    if ('passes' in plan) return this.calls.exportRecords(plan.passes);
    const found: RecordRow[] = [];
    for await (const some of plan.rows) found.push(...some);
    return found;
  }

  async open({ format, csvDelimiter, ...options }: OpenRecordsOptions): Promise<Readable> {
    const plan = await this.#plan(options);
    if ('passes' in plan) {
      return this.calls.openRecords({ ...plan.passes, format, csvDelimiter });
    }
    const { rows, cancel } = plan;
    return new GeneratorStream(format === 'json' ? toJson(rows) : toCsv(rows, csvDelimiter), cancel);
  }

  async #plan({
    limit: _limit,
    ...options
  }: Selection & { readonly limit?: number | undefined }): Promise<Plan> {
    const { view } = this;
    const { signal, caller, traceparent } = options;
    // Not enforced, so not granted.
    if (view.rows.kind === 'where' || view.deidentify !== undefined) throw new NotInPolicyError();

    const structure = await loadProjectStructure(this.calls, { signal, caller, traceparent });
    const selection = selectVisible(structure, view, options);
    const { events } = selection;
    const isEveryFieldVisible =
      selection.visible.length ===
      structure.dictionary.fields.length + structure.dictionary.instruments.length;
    const hasOnlyRowsOfRecords = !structure.isLongitudinal && !structure.hasRepeats;
    const isAsItIs =
      view.rows.kind === 'all' &&
      (isEveryFieldVisible || hasOnlyRowsOfRecords) &&
      selection.hasRepeats === structure.hasRepeats &&
      options.exportSurveyFields !== true;
    if (isAsItIs) {
      return { passes: { ...options, events, ...fieldsOf(selection.names) } };
    }

    const unlike = {
      type: 'eav',
      rawOrLabel: 'label',
      rawOrLabelHeaders: 'label',
      combineCheckboxOptions: true,
    };
    refuseOptions(
      Object.entries(unlike).flatMap(([name, value]) =>
        options[name as keyof typeof unlike] === value ? [name] : [],
      ),
      'cannot be used under this policy, which exports rows as flat and raw',
    );
    const { rows: rule } = view;
    const rows = new ViewRows(structure, selection, {
      isOfView: (row) =>
        rule.kind === 'all' || rule.kind === 'own' || (rule.kind === 'group' && row[GROUP] === rule.group),
      hasGroups: options.exportDataAccessGroups === true && rule.kind !== 'own',
      isGrayBlank: options.exportBlankForGrayFormStatus === true,
    });
    const upstream = {
      ...options,
      events,
      ...fieldsOf(selection.visible),
      exportBlankForGrayFormStatus: true,
      exportDataAccessGroups: rule.kind === 'group' || options.exportDataAccessGroups,
    };
    if (rule.kind === 'none' || rule.kind === 'own') {
      const read = rule.kind === 'none' ? [] : await readOwnRecord(this.calls, structure, rule, upstream);
      const own = [...read.flatMap((row) => rows.push(row)), ...rows.end()];
      return { rows: chunkOf(own), cancel: () => undefined };
    }
    const source = await this.calls.openRecords({ ...upstream, format: 'json' });
    return { rows: rowsIn(source, rows), cancel: () => void source.destroy() };
  }
}

/** Fields are always named, so that REDCap sends no other. */
function fieldsOf(fields: readonly string[]): Pick<RecordSelection, 'fields' | 'forms'> {
  return { fields, forms: undefined };
}

async function* chunkOf(rows: RecordRow[]): AsyncGenerator<RecordRow[], void, undefined> {
  yield await Promise.resolve(rows);
}

/** Yields the rows of the view in the bytes of an export, as many at a time as a chunk has. */
async function* rowsIn(source: Readable, rows: ViewRows): AsyncGenerator<RecordRow[], void, undefined> {
  const splitter = new JsonArraySplitter();
  for await (const chunk of source as AsyncIterable<Buffer>) {
    const some: RecordRow[] = [];
    splitter.push(chunk, (bytes, start, end) => {
      some.push(...rows.push(parseRow(bytes.subarray(start, end))));
    });
    if (some.length > 0) yield some;
  }
  splitter.end();
  yield rows.end();
}

async function* toJson(rows: AsyncIterable<RecordRow[]>): AsyncGenerator<Buffer, void, undefined> {
  let before = '[';
  for await (const some of rows) {
    if (some.length === 0) continue;
    // `/` is escaped, as REDCap does. @see docs/protocol/redcap.md 1.8 (wire)
    yield Buffer.from(
      before +
        some
          .map((row) => JSON.stringify(row))
          .join(',')
          .replaceAll('/', '\\/'),
    );
    before = ',';
  }
  yield Buffer.from(before === '[' ? '[]' : ']');
}

/** Without rows there is no header. @see docs/protocol/redcap.md 1.8 (wire, client) */
async function* toCsv(
  rows: AsyncIterable<RecordRow[]>,
  delimiter: CsvDelimiter = ',',
): AsyncGenerator<Buffer, void, undefined> {
  const separator = CSV_DELIMITERS[delimiter];
  const line = (cells: readonly (string | number)[]): string =>
    `${cells.map((cell) => csvCell(`${cell}`, separator)).join(separator)}\n`;
  let columns: readonly string[] | undefined;
  for await (const some of rows) {
    const [first] = some;
    if (first === undefined) continue;
    let text = '';
    if (columns === undefined) {
      columns = Object.keys(first);
      text = line(columns);
    }
    for (const row of some) {
      const cells = Object.values(row);
      if (cells.length !== columns.length)
        throw new UpstreamInvalidError('The rows of an export of REDCap have different columns.');
      text += line(cells);
    }
    yield Buffer.from(text);
  }
}

function csvCell(text: string, separator: string): string {
  const isQuoted = /["\s]/.test(text) || text.includes(separator);
  return isQuoted ? `"${text.replaceAll('"', '""')}"` : text;
}
