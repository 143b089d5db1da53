import { formStatusName } from '../../dictionary/export-column.js';
import type { ProjectStructure } from '../../dictionary/project-structure.js';
import { withoutTags } from '../../dictionary/without-tags.js';
import { RecordNotFoundError } from '../../errors/caller-errors.js';
import type { CallOptions, StreamRecordsOptions } from '../../gateways/redcap/crf-client.js';
import type { AuditedOptions } from '../../records/audit-notes.js';
import { streamRecords } from '../../records/export/stream-records.js';
import { openRowBody } from '../../records/formats/row-body.js';
import { checkRowsForm, type RecordsBody, type RowsForm } from '../../records/formats/rows-answer.js';
import { loadProjectStructure } from '../../records/load-project-structure.js';
import { firstByteOf } from '../../records/streaming/first-byte.js';
import { GeneratorStream } from '../../records/streaming/generator-stream.js';
import { streamedAnswer, type StreamedAnswer } from '../../records/streaming/streamed-answer.js';
import { checkRecord } from '../../records/rules/check-record.js';
import { compileForms } from '../../records/rules/form-checks.js';
import { RecordView } from '../../records/rules/record-view.js';
import { recordsOf } from '../../records/rules/records-of.js';
import type { ReaderPaceOptions } from '../../records/streaming/reader-pace.js';
import {
  listedFinding,
  listedForms,
  listedRecord,
  type ListedFinding,
  type ListedForm,
} from './listed-forms.js';
import {
  asksForForms,
  checkFilter,
  findingFilter,
  formFilter,
  isChosen,
  isInArm,
  refused,
  selectsRecords,
  visitFilter,
  type ListFilter,
} from './list-filter.js';
import { dueVisits, type VisitState } from './due-visits.js';
import {
  byColumn,
  cellsOf,
  LIST_COLUMNS,
  type ListColumn,
  type ListKind,
  type ListRow,
  type RowOfList,
} from './list-rows.js';
import { findingsOfProject } from '../quality/quality-service.js';
import type { SummarySource } from './summary-service.js';
import { calendarOf } from './visit-calendar.js';
import { dateFieldOf, notInProject, todayOf, type StudyOptions } from './study-options.js';

/** Selects a page of a list. */
export interface ListPageRequest extends ListFilter {
  /** The column by which the rows are sorted; in the order of the project by default. */
  readonly sort?: ListColumn | undefined;
  readonly isDescending?: boolean | undefined;
  /** From 1 to `MOST_PAGES`. */
  readonly page?: number | undefined;
}

/** How many visits of each state there are. */
export type VisitCounts = Readonly<Record<VisitState, number>>;

export interface ListPage {
  readonly rows: readonly ListRow[];
  /** The length of the whole list. */
  readonly total: number;
  /** Of a list of visits: how many there are by site, whatever site and state the list selects. */
  readonly visitsBySite: ReadonlyMap<string, VisitCounts>;
}

/** The names of a project with their labels, for the choices of a filter. */
export interface ListNames {
  readonly forms: ReadonlyMap<string, string>;
  readonly events: ReadonlyMap<string, string>;
  readonly sites: ReadonlyMap<string, string>;
  readonly arms: readonly number[];
  /** What the schedule names and the project does not have. */
  readonly notPlanned: readonly string[];
  readonly hasSchedule: boolean;
}

/** Records that are held while findings are made. */
const BATCH_RECORDS = 500;
export const PAGE_ROWS = 50;
/** Beyond it, the file is quicker. It bounds what is held for sorting. */
export const MOST_PAGES = 200;

/**
 * Lists the records and forms behind the counts of the summary, without values of records other than the day on which a
 * record joined. Memory: one record, and for a page the rows up to its end.
 */
export class StudyLists {
  readonly #source: SummarySource;
  readonly #options: StudyOptions;
  readonly #pace: ReaderPaceOptions | undefined;
  readonly #clock: () => Date;

  constructor(
    source: SummarySource,
    options: StudyOptions = {},
    pace?: ReaderPaceOptions,
    clock: () => Date = () => new Date(),
  ) {
    this.#source = source;
    this.#options = options;
    this.#pace = pace;
    this.#clock = clock;
  }

  /** Returns the day of which the lists are, `YYYY-MM-DD`. */
  day(): Promise<string> {
    return Promise.resolve(todayOf(this.#options, this.#clock));
  }

  /**
   * @throws {InvalidRequestError} a form, event, arm or site does not exist, or a day or page is not valid
   * @throws {CrfError} errors of `streamRecords`
   */
  async page(kind: ListKind, request: ListPageRequest = {}, call: CallOptions = {}): Promise<ListPage> {
    const { page = 1, sort = kind === 'due' ? 'day' : undefined, isDescending = false } = request;
    if (!Number.isInteger(page) || page < 1 || page > MOST_PAGES)
      throw refused('page', `must be from 1 to ${MOST_PAGES}; the file has every row`);
    const end = page * PAGE_ROWS;
    const compare = sort === undefined ? undefined : byColumn(sort, isDescending);
    let kept: ListRow[] = [];
    let total = 0;
    const visitsBySite = new Map<string, Record<VisitState, number>>();
    const { site, state, ...others } = request;
    for await (const row of this.#rows(kind, kind === 'due' ? others : request, call)) {
      if (row.state !== undefined) {
        const counts = visitsBySite.get(row.site) ?? { overdue: 0, thisWeek: 0, coming: 0 };
        counts[row.state] += 1;
        visitsBySite.set(row.site, counts);
        if ((site !== undefined && row.site !== site) || (state !== undefined && row.state !== state))
          continue;
      }
      total += 1;
      if (compare === undefined && total > end) continue;
      kept.push(row);
      if (compare !== undefined && kept.length >= 2 * end) kept = kept.sort(compare).slice(0, end);
    }
    if (compare !== undefined) kept.sort(compare);
    return { rows: kept.slice(end - PAGE_ROWS, end), total, visitsBySite };
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
    form: RowsForm = { format: 'csv', spreadsheetSafe: true },
  ): Promise<RecordsBody> {
    checkRowsForm(form);
    const ends = {
      asOf: todayOf(this.#options, this.#clock),
      hasSchedule: this.#options.schedule !== undefined,
    };
    return openRowBody(
      (inner) => cellsOf(this.#rows(kind, filter, inner), form.format),
      { ...form, columns: LIST_COLUMNS[kind], trailer: () => ends, pace: this.#pace },
      call,
    );
  }

  /**
   * Opens the visits of a list as a calendar file.
   *
   * @throws {CrfError} errors of `page` before the first bytes
   */
  async openCalendar(filter: ListFilter = {}, call: AuditedOptions = {}): Promise<StreamedAnswer> {
    const leaving = new AbortController();
    const signal = call.signal ? AbortSignal.any([call.signal, leaving.signal]) : leaving.signal;
    const names = await this.names({ ...call, signal });
    const visits = this.rows('due', filter, { ...call, signal });
    const body = new GeneratorStream(calendarOf(visits, names, this.#clock()), () => leaving.abort());
    return streamedAnswer(await firstByteOf(body), {
      contentType: 'text/calendar; charset=utf-8',
      pace: this.#pace ?? { minBytesPerSecond: 0 },
      audit: call.audit,
    });
  }

  /**
   * Returns all forms of one record, in the order of the project.
   *
   * @throws {RecordNotFoundError} the project has no such record
   */
  async formsOf(record: string, call: CallOptions = {}): Promise<readonly ListedForm[]> {
    const structure = await loadProjectStructure(this.#source, call);
    for await (const [id, rows, dateField] of this.#statuses(call, structure, [record]))
      if (id === record)
        return listedForms(listedRecord(id, rows, dateField), rows, structure, this.#options);
    throw new RecordNotFoundError();
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
    filter: ListFilter = {},
    call: CallOptions = {},
    onRecord?: () => void,
  ): AsyncGenerator<ListedFinding, void, undefined> {
    const structure = await loadProjectStructure(this.#source, call);
    checkFilter(filter, structure);
    const isWanted = findingFilter(filter, structure);
    const forms = await compileForms(structure, this.#clock);
    const ofProject = { record: '', site: '', joined: '' };
    if (!selectsRecords(filter))
      yield* findingsOfProject(forms).map(listedFinding(ofProject)).filter(isWanted);
    for await (const [id, rows, dateField] of this.#records(call, structure)) {
      const listed = listedRecord(id, rows, dateField);
      if (!isChosen(listed, filter) || !isInArm(rows, filter, structure)) continue;
      const found = checkRecord(new RecordView(structure, id, rows), forms, structure);
      for (const finding of found.map(listedFinding(listed))) if (isWanted(finding)) yield finding;
      onRecord?.();
    }
  }

  /** Returns the names by which a list can be filtered, with their labels. */
  async names(call: CallOptions = {}): Promise<ListNames> {
    const [structure, instruments, groups] = await Promise.all([
      loadProjectStructure(this.#source, call),
      this.#source.instruments.export(call),
      // Without the right to list groups, a list names them as the records do.
      this.#source.dags.export(call).catch(() => []),
    ]);
    return {
      forms: new Map(instruments.map(({ name, label }) => [name, withoutTags(label)])),
      events: new Map(structure.events.map(({ uniqueName, label }) => [uniqueName, withoutTags(label)])),
      sites: new Map(groups.map(({ uniqueName, name }) => [uniqueName, name])),
      arms: [...new Set(structure.events.map(({ armNumber }) => armNumber))],
      notPlanned: notInProject(structure, { schedule: this.#options.schedule }),
      hasSchedule: this.#options.schedule !== undefined,
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

  async *#rows(kind: ListKind, filter: ListFilter, call: CallOptions): AsyncGenerator<ListRow> {
    if (kind === 'findings') return yield* this.findings(filter, call);
    const structure = await loadProjectStructure(this.#source, call);
    checkFilter(filter, structure);
    const today = await this.day();
    for await (const [id, rows, dateField] of this.#statuses(call, structure)) {
      const listed = listedRecord(id, rows, dateField);
      if (!isChosen(listed, filter) || !isInArm(rows, filter, structure)) continue;
      if (kind === 'records' && !asksForForms(filter)) yield listed;
      else if (kind === 'due')
        yield* dueVisits(listed, rows, structure, this.#options, today).filter(
          visitFilter(filter, structure),
        );
      else {
        const forms = listedForms(listed, rows, structure, this.#options).filter(
          formFilter(filter, structure),
        );
        if (kind === 'forms') yield* forms;
        else if (forms.length > 0) yield listed;
      }
    }
  }

  /** Yields the records with their rows: of the columns only the record id, the days and the form statuses. */
  #statuses(call: CallOptions, structure: ProjectStructure, records?: readonly string[]) {
    const { dictionary } = structure;
    const { anchor, end } = this.#options.schedule ?? {};
    const days = [dateFieldOf(structure, this.#options)?.name, anchor, end];
    const fields = [
      dictionary.recordIdField?.name ?? 'record_id',
      ...days.filter((name) => name !== undefined).filter((name) => dictionary.field(name) !== undefined),
      ...dictionary.instruments.map(formStatusName),
    ];
    return this.#records(call, structure, { fields: [...new Set(fields)], records });
  }

  async *#records(
    call: CallOptions,
    structure: ProjectStructure,
    selection: StreamRecordsOptions = { batchSize: BATCH_RECORDS },
  ) {
    const dateField = dateFieldOf(structure, this.#options)?.name;
    const exported = streamRecords(this.#source, {
      ...selection,
      exportDataAccessGroups: true,
      exportBlankForGrayFormStatus: true,
      ...call,
    });
    for await (const [id, rows] of recordsOf(exported, structure)) yield [id, rows, dateField] as const;
  }
}
