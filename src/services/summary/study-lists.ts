import { formStatusName } from '../../dictionary/export-column.js';
import type { ProjectStructure } from '../../dictionary/project-structure.js';
import { withoutTags } from '../../dictionary/without-tags.js';
import { RecordNotFoundError } from '../../errors/caller-errors.js';
import type { CallOptions, CrfClient } from '../../gateways/redcap/crf-client.js';
import type { AuditedOptions } from '../../records/audit-notes.js';
import { streamRecords } from '../../records/export/stream-records.js';
import { openRowBody } from '../../records/formats/row-body.js';
import type { RecordsBody } from '../../records/formats/rows-answer.js';
import { loadProjectStructure, type StructureSource } from '../../records/load-project-structure.js';
import { firstByteOf } from '../../records/streaming/first-byte.js';
import { GeneratorStream } from '../../records/streaming/generator-stream.js';
import { streamedAnswer, type StreamedAnswer } from '../../records/streaming/streamed-answer.js';
import { recordsOf } from '../../records/rules/records-of.js';
import type { ReaderPaceOptions } from '../../records/streaming/reader-pace.js';
import { FORM_STATUSES } from './form-counts.js';
import { listedForms, listedRecord, type ListedForm, type ListedRecord } from './listed-forms.js';
import {
  asksForForms,
  checkFilter,
  formFilter,
  isChosen,
  isInArm,
  refused,
  visitFilter,
  type ListFilter,
} from './list-filter.js';
import { dueVisits, VISIT_STATES, type DueVisit, type VisitState } from './due-visits.js';
import { calendarOf } from './visit-calendar.js';
import { dateFieldOf, todayOf, type StudyOptions } from './study-options.js';

export const LIST_KINDS = ['forms', 'records', 'due'] as const;
export type ListKind = (typeof LIST_KINDS)[number];

/** The columns of each list, in order. */
export const LIST_COLUMNS = {
  forms: ['record', 'site', 'event', 'form', 'instance', 'status', 'joined'],
  records: ['record', 'site', 'joined'],
  due: ['record', 'site', 'event', 'state', 'day', 'opens', 'closes', 'missing'],
} as const satisfies Readonly<Record<ListKind, readonly (keyof ListedForm | keyof DueVisit)[]>>;

export type ListColumn = (typeof LIST_COLUMNS)[ListKind][number];

/** Selects a page of a list. */
export interface ListPageRequest extends ListFilter {
  /** The column by which the rows are sorted; in the order of the project by default. */
  readonly sort?: ListColumn | undefined;
  readonly isDescending?: boolean | undefined;
  /** From 1 to `MOST_PAGES`. */
  readonly page?: number | undefined;
}

export type ListRow = ListedRecord & Partial<ListedForm> & Partial<DueVisit>;

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
  /** What the schedule names and the project does not have; undefined without a schedule. */
  readonly notScheduled: readonly string[] | undefined;
}

export const PAGE_ROWS = 50;
/** Beyond it, the file is quicker. It bounds what is held for sorting. */
export const MOST_PAGES = 200;

/** The operations that a list needs. */
export interface ListSource extends Omit<StructureSource, 'instruments'>, Pick<CrfClient, 'openRecords'> {
  readonly instruments: Pick<CrfClient['instruments'], 'export' | 'exportEventMappings' | 'exportRepeating'>;
  readonly dags: Pick<CrfClient['dags'], 'export'>;
}

/**
 * Lists the records and forms behind the counts of the summary, without values of records other than the day on which a
 * record joined. Memory: one record, and for a page the rows up to its end.
 */
export class StudyLists {
  readonly #source: ListSource;
  readonly #options: StudyOptions;
  readonly #pace: ReaderPaceOptions | undefined;
  readonly #clock: () => Date;

  constructor(
    source: ListSource,
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
   * Opens the whole list as CSV, safe to open in a spreadsheet, in the order of the project.
   *
   * @throws {CrfError} errors of `page` before the first bytes
   */
  open(kind: ListKind, filter: ListFilter = {}, call: AuditedOptions = {}): Promise<RecordsBody> {
    return openRowBody(
      (inner) => this.#cells(kind, filter, inner),
      { format: 'csv', columns: LIST_COLUMNS[kind], spreadsheetSafe: true, pace: this.#pace },
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
    // Rows of `due` are whole visits.
    const visits = this.#rows('due', filter, { ...call, signal }) as AsyncIterable<DueVisit>;
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
    for await (const [id, rows, structure, dateField] of this.#records(call, [record]))
      if (id === record)
        return listedForms(listedRecord(id, rows, dateField), rows, structure, this.#options);
    throw new RecordNotFoundError();
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
      notScheduled: this.#notScheduled(structure),
    };
  }

  /**
   * Yields the forms of a list in the order of the project.
   *
   * @throws {CrfError} errors of `page`
   */
  forms(filter: ListFilter, call: CallOptions = {}): AsyncGenerator<ListedForm> {
    // Rows of `forms` are whole forms.
    return this.#rows('forms', filter, call) as AsyncGenerator<ListedForm>;
  }

  async *#cells(
    kind: ListKind,
    filter: ListFilter,
    call: CallOptions,
  ): AsyncGenerator<Record<string, unknown>> {
    for await (const row of this.#rows(kind, filter, call))
      yield { ...row, ...(row.missing !== undefined && { missing: row.missing.join(' ') }) };
  }

  #notScheduled({ dictionary, eventNames }: ProjectStructure): string[] | undefined {
    const { schedule } = this.#options;
    if (schedule === undefined) return undefined;
    const fields = [schedule.anchor, ...(schedule.end === undefined ? [] : [schedule.end])];
    return [
      ...fields.filter((name) => dictionary.field(name) === undefined),
      ...Object.keys(schedule.visits).filter((name) => !eventNames.includes(name)),
    ];
  }

  async *#rows(kind: ListKind, filter: ListFilter, call: CallOptions): AsyncGenerator<ListRow> {
    checkFilter(filter, await loadProjectStructure(this.#source, call));
    const today = await this.day();
    for await (const [id, rows, structure, dateField] of this.#records(call)) {
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
  async *#records(call: CallOptions, records?: readonly string[]) {
    const structure = await loadProjectStructure(this.#source, call);
    const { dictionary } = structure;
    const dateField = dateFieldOf(structure, this.#options)?.name;
    const { anchor, end } = this.#options.schedule ?? {};
    const days = [dateField, anchor, end].filter((name) => dictionary.field(name ?? '') !== undefined);
    const fields = [
      dictionary.recordIdField?.name ?? 'record_id',
      ...days.filter((name) => name !== undefined),
      ...dictionary.instruments.map(formStatusName),
    ];
    const exported = streamRecords(this.#source, {
      fields: [...new Set(fields)],
      records,
      exportDataAccessGroups: true,
      exportBlankForGrayFormStatus: true,
      ...call,
    });
    for await (const [id, rows] of recordsOf(exported, structure))
      yield [id, rows, structure, dateField] as const;
  }
}

/** Statuses are sorted by how far a form is, visits by how near, other columns by their text. */
function byColumn(column: ListColumn, isDescending: boolean) {
  const sign = isDescending ? -1 : 1;
  const collator = new Intl.Collator('en', { numeric: true });
  return (one: ListRow, other: ListRow): number => {
    const [a, b] = [one[column] ?? '', other[column] ?? ''];
    if (column === 'status') return sign * (rankIn(FORM_STATUSES, b) - rankIn(FORM_STATUSES, a));
    if (column === 'state') return sign * (rankIn(VISIT_STATES, a) - rankIn(VISIT_STATES, b));
    return sign * collator.compare(String(a), String(b));
  };
}

function rankIn(order: readonly string[], value: unknown): number {
  return order.findIndex((each) => each === value);
}
