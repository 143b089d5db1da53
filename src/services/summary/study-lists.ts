import { formStatusName } from '../../dictionary/export-column.js';
import type { ProjectStructure } from '../../dictionary/project-structure.js';
import { withoutTags } from '../../dictionary/without-tags.js';
import { InvalidRequestError, RecordNotFoundError } from '../../errors/caller-errors.js';
import type { FieldProblem } from '../../errors/field-problem.js';
import type { CallOptions, CrfClient } from '../../gateways/redcap/crf-client.js';
import type { AuditedOptions } from '../../records/audit-notes.js';
import { streamRecords } from '../../records/export/stream-records.js';
import { openRowBody } from '../../records/formats/row-body.js';
import type { RecordsBody } from '../../records/formats/rows-answer.js';
import { loadProjectStructure, type StructureSource } from '../../records/load-project-structure.js';
import { recordsOf } from '../../records/rules/records-of.js';
import type { ReaderPaceOptions } from '../../records/streaming/reader-pace.js';
import { FORM_STATUSES } from './form-counts.js';
import {
  listedForms,
  listedRecord,
  type ListedForm,
  type ListedRecord,
  type ListedStatus,
} from './listed-forms.js';
import { dateFieldOf, type StudyOptions } from './study-options.js';

/** Selects forms, or the records that have them; all by default. */
export interface ListFilter {
  readonly form?: string | undefined;
  readonly event?: string | undefined;
  readonly arm?: number | undefined;
  /** The unique name of a data access group; empty for records without one. */
  readonly site?: string | undefined;
  readonly statuses?: readonly ListedStatus[] | undefined;
  /** Only records that joined on this day or later, `YYYY-MM-DD`. */
  readonly from?: string | undefined;
  /** Only records that joined on this day or earlier, `YYYY-MM-DD`. */
  readonly to?: string | undefined;
  /** Only records whose id contains this text. */
  readonly record?: string | undefined;
}

export const LIST_KINDS = ['forms', 'records'] as const;
export type ListKind = (typeof LIST_KINDS)[number];

/** The columns of each list, in order. */
export const LIST_COLUMNS = {
  forms: ['record', 'site', 'event', 'form', 'instance', 'status', 'joined'],
  records: ['record', 'site', 'joined'],
} as const satisfies Readonly<Record<ListKind, readonly (keyof ListedForm)[]>>;

export type ListColumn = (typeof LIST_COLUMNS)['forms'][number];

/** Selects a page of a list. */
export interface ListPageRequest extends ListFilter {
  /** The column by which the rows are sorted; in the order of the project by default. */
  readonly sort?: ListColumn | undefined;
  readonly isDescending?: boolean | undefined;
  /** From 1 to `MOST_PAGES`. */
  readonly page?: number | undefined;
}

export type ListRow = ListedRecord & Partial<ListedForm>;

export interface ListPage {
  readonly rows: readonly ListRow[];
  /** The length of the whole list. */
  readonly total: number;
}

/** The names of a project with their labels, for the choices of a filter. */
export interface ListNames {
  readonly forms: ReadonlyMap<string, string>;
  readonly events: ReadonlyMap<string, string>;
  readonly sites: ReadonlyMap<string, string>;
  readonly arms: readonly number[];
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

  constructor(source: ListSource, options: StudyOptions = {}, pace?: ReaderPaceOptions) {
    this.#source = source;
    this.#options = options;
    this.#pace = pace;
  }

  /**
   * @throws {InvalidRequestError} a form, event, arm or site does not exist, or a day or page is not valid
   * @throws {CrfError} errors of `streamRecords`
   */
  async page(kind: ListKind, request: ListPageRequest = {}, call: CallOptions = {}): Promise<ListPage> {
    const { page = 1, sort, isDescending = false } = request;
    if (!Number.isInteger(page) || page < 1 || page > MOST_PAGES)
      throw refused('page', `must be from 1 to ${MOST_PAGES}; the file has every row`);
    const end = page * PAGE_ROWS;
    const compare = sort === undefined ? undefined : byColumn(sort, isDescending);
    let kept: ListRow[] = [];
    let total = 0;
    for await (const row of this.#rows(kind, request, call)) {
      total += 1;
      if (compare === undefined && total > end) continue;
      kept.push(row);
      if (compare !== undefined && kept.length >= 2 * end) kept = kept.sort(compare).slice(0, end);
    }
    if (compare !== undefined) kept.sort(compare);
    return { rows: kept.slice(end - PAGE_ROWS, end), total };
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
   * Returns all forms of one record, in the order of the project.
   *
   * @throws {RecordNotFoundError} the project has no such record
   */
  async formsOf(record: string, call: CallOptions = {}): Promise<readonly ListedForm[]> {
    for await (const [id, rows, structure, dateField] of this.#records(call, [record]))
      if (id === record) return listedForms(listedRecord(id, rows, dateField), rows, structure);
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
    };
  }

  async *#cells(
    kind: ListKind,
    filter: ListFilter,
    call: CallOptions,
  ): AsyncGenerator<Record<string, unknown>> {
    for await (const row of this.#rows(kind, filter, call)) yield { ...row };
  }

  async *#rows(kind: ListKind, filter: ListFilter, call: CallOptions): AsyncGenerator<ListRow> {
    checkDays(filter);
    const { site, from, to, record } = filter;
    let isChecked = false;
    for await (const [id, rows, structure, dateField] of this.#records(call)) {
      if (!isChecked) checkNames(filter, structure);
      isChecked = true;
      const listed = listedRecord(id, rows, dateField);
      if (site !== undefined && listed.site !== site) continue;
      if (from !== undefined && !(listed.joined >= from)) continue;
      if (to !== undefined && (listed.joined === '' || listed.joined > to)) continue;
      if (record !== undefined && !id.toLowerCase().includes(record.toLowerCase())) continue;
      if (kind === 'records' && !asksForForms(filter)) yield listed;
      else {
        const forms = listedForms(listed, rows, structure).filter(formFilter(filter, structure));
        if (kind === 'forms') yield* forms;
        else if (forms.length > 0) yield listed;
      }
    }
  }

  /** Yields the records with their rows: of the columns only the record id, the day and the form statuses. */
  async *#records(call: CallOptions, records?: readonly string[]) {
    const structure = await loadProjectStructure(this.#source, call);
    const { dictionary } = structure;
    const dateField = dateFieldOf(structure, this.#options)?.name;
    const fields = [
      dictionary.recordIdField?.name ?? 'record_id',
      ...(dateField === undefined ? [] : [dateField]),
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

function asksForForms({ form, event, arm, statuses }: ListFilter): boolean {
  return [form, event, arm, statuses].some((part) => part !== undefined);
}

function formFilter(
  { form, event, arm, statuses }: ListFilter,
  { events }: ProjectStructure,
): (listed: ListedForm) => boolean {
  const ofArm = new Set(events.filter(({ armNumber }) => armNumber === arm).map((each) => each.uniqueName));
  return (listed) =>
    (form === undefined || listed.form === form) &&
    (event === undefined || listed.event === event) &&
    (arm === undefined || ofArm.has(listed.event)) &&
    (statuses === undefined || statuses.includes(listed.status));
}

/** Statuses are sorted by how far a form is, other columns by their text, and equal ones remain as they are. */
function byColumn(column: ListColumn, isDescending: boolean) {
  const sign = isDescending ? -1 : 1;
  const collator = new Intl.Collator('en', { numeric: true });
  return (one: ListRow, other: ListRow): number => {
    const [a, b] = [one[column] ?? '', other[column] ?? ''];
    if (column !== 'status') return sign * collator.compare(String(a), String(b));
    return sign * (statusRank(b) - statusRank(a));
  };
}

function statusRank(status: string | number): number {
  return FORM_STATUSES.findIndex((each) => each === status);
}

function checkDays({ from, to }: ListFilter): void {
  for (const [field, day] of Object.entries({ from, to }))
    if (day !== undefined && !(/^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day))))
      throw refused(field, 'must be a day such as 2026-11-25');
  if (from !== undefined && to !== undefined && from > to) throw refused('to', 'must not be before from');
}

function checkNames({ form, event, arm }: ListFilter, structure: ProjectStructure): void {
  const { dictionary, events } = structure;
  const problems: FieldProblem[] = [
    ...(form !== undefined && !dictionary.instruments.includes(form)
      ? [{ field: 'form', message: 'is not an instrument of this project' }]
      : []),
    ...(event !== undefined && !structure.eventNames.includes(event)
      ? [{ field: 'event', message: 'is not an event of this project' }]
      : []),
    ...(arm !== undefined && !events.some(({ armNumber }) => armNumber === arm)
      ? [{ field: 'arm', message: 'is not an arm of this project' }]
      : []),
  ];
  if (problems.length > 0) throw new InvalidRequestError(problems);
}

function refused(field: string, message: string): InvalidRequestError {
  return new InvalidRequestError([{ field, message }]);
}
