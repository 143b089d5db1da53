import { formStatusName } from '../../domain/dictionary/export-column.js';
import { withoutTags } from '../../domain/dictionary/without-tags.js';
import { ProblemError } from '../../domain/errors/problem-error.js';
import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import type { CallOptions, CrfCalls, RecordRow } from '../../gateways/redcap/crf-client.js';
import type { OrUndefined } from '../../domain/identifiers/check-options.js';
import type { AuditedOptions } from '../../records/audit-notes.js';
import { firstRows, type LimitQuery } from '../../records/export/page-query.js';
import { openRowBody } from '../../records/formats/row-body.js';
import { checkRowsForm, type RecordsBody, type RowsForm } from '../../records/formats/rows-answer.js';
import { loadProjectStructure } from '../../records/load-project-structure.js';
import { firstByteOf } from '../../records/streaming/first-byte.js';
import { GeneratorStream } from '../../records/streaming/generator-stream.js';
import { streamedAnswer, type StreamedAnswer } from '../../records/streaming/streamed-answer.js';
import { checkRecord } from '../../records/rules/check-record.js';
import { compileForms } from '../../records/rules/form-checks.js';
import { RecordView } from '../../records/rules/record-view.js';
import type { ReaderPaceOptions } from '../../records/streaming/reader-pace.js';
import {
  formLister,
  listedFinding,
  type ListedFinding,
  type ListedForm,
  type ListedRecord,
} from './listed-forms.js';
import {
  asksForForms,
  checkDag,
  checkFilter,
  rowFilter,
  inDays,
  selectsRecords,
  type ListFilter,
} from './list-filter.js';
import { visitLister } from './due-visits.js';
import { readListPage, type ListPage, type ListPageRequest } from './list-page.js';
import { cellsOf, LIST_COLUMNS, type ListKind, type ListRow, type RowOfList } from './list-rows.js';
import { findingsOfProject } from '../quality/quality-service.js';
import { changedAmong, readRecentChanges } from '../quality/recent-changes.js';
import { chosenRecords } from './chosen-records.js';
import { calendarOf, type VisitSentence } from './visit-calendar.js';
import { dateFieldOf, notInProject, todayOf, type StudyOptions } from './study-options.js';

/** The names of a project with their labels, for the choices of a filter. */
export interface ListNames {
  readonly forms: ReadonlyMap<string, string>;
  readonly events: ReadonlyMap<string, string>;
  readonly dags: ReadonlyMap<string, string>;
  readonly arms: readonly number[];
  /** What the schedule names and the project does not have. */
  readonly notPlanned: readonly string[];
  readonly hasSchedule: boolean;
}

/** Records that are held while findings are made. */
const BATCH_RECORDS = 500;

/**
 * Lists the records and forms behind the counts of the summary, without values of records other than the day on which a
 * record joined. Memory: one record, and for a page the rows up to its end.
 */
export class StudyLists {
  constructor(
    private readonly source: CrfCalls,
    private readonly options: StudyOptions = {},
    private readonly pace?: ReaderPaceOptions,
    private readonly clock: () => Date = () => new Date(),
  ) {}

  /** Returns a filter with the days that a page shows. @throws {InvalidRequestError} the period is not valid */
  inDays<Filter extends ListFilter>(filter: Filter): Promise<Filter> {
    return Promise.resolve(inDays(filter, this.options, this.clock));
  }

  /** Returns the day of which the lists are, `YYYY-MM-DD`. */
  day(): Promise<string> {
    return Promise.resolve(todayOf(this.options, this.clock));
  }

  /**
   * @throws {InvalidRequestError} a form, event, arm or group does not exist, or a day or page is not valid
   * @throws {CrfError} errors of `streamRecords`
   */
  async page(kind: ListKind, request: ListPageRequest = {}, call: CallOptions = {}): Promise<ListPage> {
    return readListPage(kind, request, (filter) => this.#rows(kind, filter, call));
  }

  /**
   * Opens the whole list in the order of the project: by default as CSV that is safe to open in a spreadsheet.
   *
   * @throws {InvalidRequestError} `spreadsheetSafe` is given without CSV
   * @throws {CrfError} errors of `page` before the first bytes
   */
  open(
    kind: ListKind,
    filter: ListFilter = {},
    call: AuditedOptions = {},
    { limit, trailer, ...form }: RowsForm & OrUndefined<LimitQuery> = {
      format: 'csv',
      spreadsheetSafe: true,
    },
  ): Promise<RecordsBody> {
    checkRowsForm({ trailer, ...form });
    const ends = {
      asOf: todayOf(this.options, this.clock),
      hasSchedule: this.options.schedule !== undefined,
    };
    return openRowBody(
      (inner) => cellsOf(firstRows(this.#rows(kind, filter, inner), limit), form.format),
      {
        ...form,
        columns: LIST_COLUMNS[kind],
        hasTrailerLine: trailer,
        trailer: () => (kind === 'due' ? ends : {}),
        pace: this.pace,
      },
      call,
    );
  }

  /**
   * Opens the visits of a list as a calendar file, whose entries say what a sentence says of each visit.
   *
   * @throws {CrfError} errors of `page` before the first bytes
   */
  async openCalendar(
    sentence: VisitSentence,
    filter: ListFilter = {},
    call: AuditedOptions = {},
  ): Promise<StreamedAnswer> {
    const leaving = new AbortController();
    const signal = call.signal ? AbortSignal.any([call.signal, leaving.signal]) : leaving.signal;
    const names = await this.names({ ...call, signal });
    const visits = this.rows('due', filter, { ...call, signal });
    const body = new GeneratorStream(calendarOf(visits, names, sentence, this.clock()), () =>
      leaving.abort(),
    );
    return streamedAnswer(await firstByteOf(body), {
      contentType: 'text/calendar; charset=utf-8',
      pace: this.pace ?? { minBytesPerSecond: 0 },
      audit: call.audit,
    });
  }

  /**
   * Returns all forms of one record, in the order of the project.
   *
   * @throws {ProblemError} `record_not_found`: the project has no such record
   */
  async formsOf(record: string, call: CallOptions = {}): Promise<readonly ListedForm[]> {
    const structure = await loadProjectStructure(this.source, call);
    for await (const [listed, rows] of this.#statuses(call, structure, {}, [record]))
      if (listed.record === record) return formLister(structure, this.options)(listed, rows);
    throw new ProblemError('record_not_found');
  }

  /**
   * Finds what the quality rules say: first of the project, unless the filter selects records, then of each record.
   * Memory: a batch of records.
   *
   * @param onRecord called after each record that was checked
   * @throws {InvalidRequestError} the filter selects what does not exist
   * @throws {CrfError} errors of `streamRecords`
   */
  async *findings(
    asked: ListFilter = {},
    call: CallOptions = {},
    onRecord?: () => void,
  ): AsyncGenerator<ListedFinding, void, undefined> {
    const filter = inDays(asked, this.options, this.clock);
    const structure = await loadProjectStructure(this.source, call);
    checkFilter(filter, structure);
    await checkDag(this.source, filter, call);
    const isWanted = rowFilter(filter, structure);
    const forms = await compileForms(structure, this.clock);
    const { changedFrom: since } = filter;
    const recent =
      since === undefined
        ? undefined
        : await readRecentChanges(this.source, structure, { changedFrom: since }, call);
    const records = recent && changedAmong(undefined, recent);
    if (records?.length === 0) return; // no names would mean every record
    const ofProject = { record: '', dag: '', joined: '' };
    if (recent === undefined && !selectsRecords(filter))
      yield* findingsOfProject(forms).map(listedFinding(ofProject)).filter(isWanted);
    const selection = { batchSize: BATCH_RECORDS, records, ...call };
    const part = { structure, plan: this.options, filter };
    for await (const [listed, rows] of chosenRecords(this.source, part, selection)) {
      if (recent?.records.has(listed.record) === false) continue;
      const checked = checkRecord(new RecordView(structure, listed.record, rows), forms, structure);
      const found = recent === undefined ? checked : checked.filter(recent.has);
      for (const finding of found.map(listedFinding(listed))) if (isWanted(finding)) yield finding;
      onRecord?.();
    }
  }

  /** Returns the names by which a list can be filtered, with their labels. @throws {CrfError} errors of the client */
  async names(call: CallOptions = {}): Promise<ListNames> {
    const { schedule } = this.options;
    const [structure, instruments, groups] = await Promise.all([
      loadProjectStructure(this.source, call),
      this.source.instruments.list(call),
      // Without the right to list groups, a list names them as the records do.
      this.source.dags.list(call).catch(() => []),
    ]);
    return {
      forms: new Map(instruments.map(({ name, label }) => [name, withoutTags(label)])),
      events: new Map(structure.events.map(({ uniqueName, label }) => [uniqueName, withoutTags(label)])),
      dags: new Map(groups.map(({ uniqueName, name }) => [uniqueName, name])),
      arms: [...new Set(structure.events.map(({ arm }) => arm))],
      // Which visits are due does not depend on when they took place.
      notPlanned: notInProject(structure, { schedule: schedule && { ...schedule, visitDate: undefined } }),
      hasSchedule: schedule !== undefined,
    };
  }

  /** Yields the rows of a list in the order of the project. @throws {CrfError} errors of `page` */
  rows<Kind extends ListKind>(
    kind: Kind,
    filter: ListFilter = {},
    call: CallOptions = {},
  ): AsyncGenerator<RowOfList[Kind]> {
    return this.#rows(kind, filter, call) as AsyncGenerator<RowOfList[Kind]>;
  }

  async *#rows(kind: ListKind, asked: ListFilter, call: CallOptions): AsyncGenerator<ListRow> {
    if (kind === 'findings') return yield* this.findings(asked, call);
    const filter = inDays(asked, this.options, this.clock);
    const structure = await loadProjectStructure(this.source, call);
    checkFilter(filter, structure);
    await checkDag(this.source, filter, call);
    const listOf = await this.#listerOf(kind, filter, structure);
    for await (const [listed, rows] of this.#statuses(call, structure, filter)) {
      // Not delegated: yield* costs several promises for each of 100,000 records.
      for (const row of listOf(listed, rows)) yield row;
    }
  }

  /** Returns what a list has of one record. */
  async #listerOf(
    kind: Exclude<ListKind, 'findings'>,
    filter: ListFilter,
    structure: ProjectStructure,
  ): Promise<(listed: ListedRecord, rows: readonly RecordRow[]) => readonly ListRow[]> {
    if (kind === 'records' && !asksForForms(filter)) return (listed) => [listed];
    if (kind === 'due') {
      const visitsOf = visitLister(structure, this.options, await this.day());
      const isWanted = rowFilter(filter, structure);
      return (listed, rows) => visitsOf(listed, rows).filter(isWanted);
    }
    const formsOf = formLister(structure, this.options);
    const isWanted = rowFilter(filter, structure);
    if (kind === 'forms') return (listed, rows) => formsOf(listed, rows).filter(isWanted);
    return (listed, rows) => (formsOf(listed, rows).some(isWanted) ? [listed] : []);
  }

  /** Yields the records with their rows: of the columns only the record id, the days and the form statuses. */
  #statuses(call: CallOptions, structure: ProjectStructure, filter: ListFilter, records?: readonly string[]) {
    const { dictionary } = structure;
    const { anchor, end } = this.options.schedule ?? {};
    const days = [dateFieldOf(structure, this.options)?.name, anchor, end];
    const fields = [
      dictionary.recordIdField?.name ?? 'record_id',
      ...days.filter((name) => name !== undefined).filter((name) => dictionary.field(name) !== undefined),
      ...dictionary.instruments.map(formStatusName),
    ];
    const selection = { fields: [...new Set(fields)], records, ...call };
    return chosenRecords(this.source, { structure, plan: this.options, filter }, selection);
  }
}
