import type { Readable } from 'node:stream';
import type { ProjectStructure } from '../domain/dictionary/project-structure.js';
import type {
  CallOptions,
  CrfCalls,
  ExportRecordsOptions,
  OpenRecordsOptions,
  PartOptions,
  RecordRow,
  RecordSelection,
} from '../gateways/redcap/crf-client.js';
import { parseChoices, type Choice } from '../domain/dictionary/choices.js';
import { fieldsIn } from '../domain/logic/syntax.js';
import { parseRow } from '../records/formats/parse-row.js';
import { loadProjectStructure } from '../records/load-project-structure.js';
import { textOf } from '../records/rules/record-view.js';
import { checkRowsHeld } from '../records/rules/records-of.js';
import { jsonRowsOf } from '../records/streaming/chunks-of.js';
import { GeneratorStream } from '../records/streaming/generator-stream.js';
import { RowChanger } from './deidentify/row-changer.js';
import { checked, checkNames, isAsItIs } from './passed-answers.js';
import type { ProjectView } from './project-view.js';
import { NO_LABELS, RowColumns, type ProjectLabels } from './row-columns.js';
import { membershipOf, readOwnRecord, selectionOf } from './row-rules.js';
import { ViewRows } from './view-rows.js';
import { visibleStructure } from './visible-dictionary.js';
import { refuseOptions, selectVisible, type VisibleSelection } from './visible-selection.js';
import { EavRows, FlatRows, writtenRows, type RowWriter } from './written-rows.js';

type Selection = RecordSelection & CallOptions & PartOptions;

/** An export that was checked against the view: one whose answer of REDCap is that of the view, or one of
 * rows that are made those of the view. */
type Plan = { readonly passes: Selection; readonly columns: RowColumns } | RowPlan;

interface RowPlan {
  readonly rows: AsyncIterable<readonly RecordRow[]>;
  readonly writer: RowWriter;
  readonly cancel: () => void;
}

/**
 * The exports of a view. Only visible fields are asked for, and what decides about a record. If REDCap's own answer is
 * that of the view, its bytes are passed on; otherwise its rows are read record by record, in constant memory, and
 * written in the form that the caller asked for.
 */
export class RecordExports {
  constructor(
    private readonly calls: CrfCalls,
    private readonly view: ProjectView,
  ) {}

  async export(options: ExportRecordsOptions = {}): Promise<RecordRow[]> {
    const plan = await this.#plan(options);
    if ('passes' in plan) {
      const found = await this.calls.exportRecords(plan.passes);
      checkNames(Object.keys(found[0] ?? {}), plan.columns);
      return found;
    }
    const found: RecordRow[] = [];
    for await (const some of plan.rows) found.push(...some);
    return found;
  }

  async open({ format, csvDelimiter, ...options }: OpenRecordsOptions): Promise<Readable> {
    const plan = await this.#plan(options, format);
    if ('passes' in plan) {
      const answer = await this.calls.openRecords({ ...plan.passes, format, csvDelimiter });
      return checked(answer, { format, csvDelimiter, ...options }, plan.columns);
    }
    const { rows, writer, cancel } = plan;
    return new GeneratorStream(writtenRows(rows, writer, { format, csvDelimiter }), cancel);
  }

  async #plan(
    { limit: _limit, ...asked }: Selection & { readonly limit?: number | undefined },
    format?: 'json' | 'csv',
  ): Promise<Plan> {
    const { view } = this;
    const { signal, caller, traceparent } = asked;
    const call = { signal, caller, traceparent };
    // Without groups there is no column of them, and de-identified there are no surveys either.
    const isPlain = view.deidentify === undefined;
    const hasGroups = isPlain && (view.rows.kind === 'all' || view.rows.kind === 'dag');
    const options = {
      ...asked,
      ...(!hasGroups && { exportDataAccessGroups: undefined }),
      ...(!isPlain && { exportSurveyFields: undefined }),
    };

    const { whole, shown } = await this.structures(call);
    const selection = selectVisible(shown, view, options);
    const form: RecordSelection = format === 'csv' ? options : { ...options, rawOrLabelHeaders: 'raw' };
    const columns = await this.columns(shown, selection, form, call);
    if (isPlain && view.rows.kind === 'all' && isAsItIs(whole, shown, selection, options))
      return { passes: { ...options, fields: selection.names, forms: undefined }, columns };

    const isEav = options.type === 'eav';
    if (isEav && columns.asked.some(({ field }) => field?.type === 'file'))
      refuseOptions(
        ['type'],
        'cannot be eav under this policy with a file field, whose number is not known here',
      );
    const writer = isEav ? new EavRows(columns) : new FlatRows(columns);
    return { ...(await this.#rows(whole, columns, options, writer)), writer };
  }

  async #rows(
    whole: ProjectStructure,
    columns: RowColumns,
    options: Selection,
    writer: RowWriter,
  ): Promise<Omit<RowPlan, 'writer'>> {
    const { shown, selection, idName } = columns;
    const { rows: rule, deidentify } = this.view;
    const changer = deidentify && new RowChanger(deidentify, whole);
    // Whoever has only pseudonyms cannot ask by ids. A list without any known record would stand for all of them.
    const records = changer === undefined ? options.records : options.records?.flatMap(changer.idOf);
    if (rule.kind === 'none' || (records !== options.records && records?.length === 0))
      return { rows: chunkOf([]), cancel: () => undefined };
    const hasRowsOfRecords = !whole.isLongitudinal && !whole.hasRepeats;
    // Which rows a record has in the view is decided on all of them, and the filter of the caller is true or not on these.
    const isFilteredHere = !hasRowsOfRecords || rule.kind === 'own' || changer !== undefined;
    const isForFilter = isFilteredHere && options.filterLogic !== undefined;
    const rows = new ViewRows(whole, shown, {
      isOfView: membershipOf(whole, rule),
      change: changer && ((row, record) => changer.change(row, record)),
      // A classic project has no events to choose from, whatever is asked for.
      select: selectionOf(
        columns,
        whole.isLongitudinal ? options.events : undefined,
        isFilteredHere ? options.filterLogic : undefined,
      ),
    });
    const read = rule.kind === 'where' ? fieldsIn(rule.logic) : [];
    const upstream: Selection = {
      records,
      fields: [
        ...new Set([
          idName,
          ...(hasRowsOfRecords && !isForFilter ? selection.names : selection.visible),
          ...read,
        ]),
      ],
      // A record is one of the view also if all of its values are at hidden events.
      events: undefined,
      filterLogic: isFilteredHere ? undefined : options.filterLogic,
      exportBlankForGrayFormStatus: true,
      exportDataAccessGroups: rule.kind === 'dag' || options.exportDataAccessGroups,
      exportSurveyFields: options.exportSurveyFields,
      signal: options.signal,
      caller: options.caller,
      traceparent: options.traceparent,
      isContinuation: options.isContinuation,
    };
    const names = new Set(columns.asked.map(({ name }) => name));
    const write = (ofRecord: readonly RecordRow[]): RecordRow[] => {
      const selected = rows.of(ofRecord);
      changer?.count(selected, names);
      return writer.write(selected);
    };
    const finish = (): void => changer?.finish();
    if (rule.kind === 'own') {
      const own = await readOwnRecord(this.calls, whole, rule, upstream);
      return { rows: chunkOf(write(own), finish), cancel: () => undefined };
    }
    const source = await this.calls.openRecords({ ...upstream, format: 'json' });
    return { rows: rowsIn(source, idName, write, finish), cancel: () => void source.destroy() };
  }

  /** Returns the structure of the whole project, and that of the view. */
  async structures(call: CallOptions): Promise<{ whole: ProjectStructure; shown: ProjectStructure }> {
    const whole = await loadProjectStructure(this.calls, call);
    return { whole, shown: visibleStructure(whole, this.view) };
  }

  /** Returns the columns of a selection, with the labels of the project if they are asked for. */
  async columns(
    shown: ProjectStructure,
    selection: VisibleSelection,
    form: RecordSelection,
    call: CallOptions,
  ): Promise<RowColumns> {
    const isLabel = form.rawOrLabel === 'label';
    const hasCodes = form.rawOrLabelHeaders === 'label' && shown.missingDataCodes.size > 0;
    const labels = isLabel
      ? await this.#labels(call)
      : { ...NO_LABELS, missingDataCodes: hasCodes ? await this.#missingCodes(call) : [] };
    return new RowColumns(shown, selection, form, labels);
  }

  /** Whether a record is one of the view. */
  async has(record: string, call: CallOptions): Promise<boolean> {
    return (await this.known([record], call)).has(record);
  }

  /** Returns those of some records that are in the view. */
  async known(records: readonly string[], call: CallOptions): Promise<ReadonlySet<string>> {
    const { shown } = await this.structures(call);
    const idName = shown.dictionary.recordIdField?.name ?? '';
    const { signal, caller, traceparent } = call;
    const rows = await this.export({ signal, caller, traceparent, records, fields: [idName] });
    return new Set(rows.map((row) => textOf(row, idName)));
  }

  async #labels(call: CallOptions): Promise<ProjectLabels> {
    const { calls } = this;
    const { isLongitudinal } = await calls.project.getInfo(call);
    const [arms, instruments, groups] = await Promise.all([
      isLongitudinal ? calls.arms.list(call) : [],
      calls.instruments.list(call),
      calls.dags.list(call),
    ]);
    return {
      arms: new Map(arms.map(({ number, name }) => [number, name])),
      instruments: new Map(instruments.map(({ name, label }) => [name, label])),
      groups: new Map(groups.map(({ uniqueName, name }) => [uniqueName, name])),
      missingDataCodes: await this.#missingCodes(call),
    };
  }

  async #missingCodes(call: CallOptions): Promise<readonly Choice[]> {
    return parseChoices((await this.calls.project.getInfo(call)).missingDataCodes);
  }
}

async function* chunkOf(
  rows: RecordRow[],
  finish = (): void => undefined,
): AsyncGenerator<RecordRow[], void, undefined> {
  yield await Promise.resolve(rows);
  finish();
}

/**
 * Yields what is written of the records in the bytes of an export, as many at a time as a chunk has.
 *
 * @param finish is called once the export is whole
 */
async function* rowsIn(
  source: Readable,
  idName: string,
  write: (rows: readonly RecordRow[]) => RecordRow[],
  finish: () => void,
): AsyncGenerator<RecordRow[], void, undefined> {
  let record: RecordRow[] = [];
  let id: string | undefined;
  for await (const rows of jsonRowsOf(source)) {
    const some: RecordRow[] = [];
    for (const bytes of rows) {
      const row = parseRow(bytes);
      const next = textOf(row, idName);
      if (next !== id) {
        if (record.length > 0) some.push(...write(record));
        record = [];
        id = next;
      }
      checkRowsHeld(record.length);
      record.push(row);
    }
    if (some.length > 0) yield some;
  }
  if (record.length > 0) yield write(record);
  finish();
}
