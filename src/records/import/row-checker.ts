import { say } from '../../domain/errors/sentences.js';
import { RowUntyper, type Misfitting } from '../typed/row-untyper.js';
import { checkedValue, isBlank, jsonOf, textOf, type Cells } from './cell-values.js';
import { ColumnChecks } from './column-checks.js';
import { EavCells } from './eav-cells.js';
import { HeaderLabels } from './header-labels.js';
import { GROUP } from './import-changes.js';
import type { ImportRequest } from './import-request.js';
import type { LateFact, ProjectFacts } from './imported-project.js';
import type { ImportRemarks } from './import-remarks.js';
import type { CellValue, InputRow, RowPlace } from './input-item.js';
import type { ProblemList } from './problem-list.js';
import { PlaceCheck } from './place-check.js';
import { RecordIdCheck } from './record-id-check.js';
import { UnknownColumns } from './unknown-columns.js';

/** A row that may be sent. */
export interface CheckedRow {
  readonly record: string;
  /** The row as one JSON object. */
  readonly json: string;
  /** Whether REDCap chooses its repeat instance. If such a row is sent twice, it is stored twice. */
  readonly isNewInstance: boolean;
}

/**
 * Checks the rows of one import against the record id rule and the data dictionary, and writes them in REDCap's form.
 */
export class RowChecker {
  readonly #columns: ColumnChecks;
  readonly #unknown: UnknownColumns;
  /** The column with the record id: the first field, or `record` in EAV. */
  readonly #idColumn: string;
  /** Set if rows are EAV. */
  readonly #eav: EavCells | undefined;
  readonly #ids: RecordIdCheck;
  readonly #isForced: boolean;
  /** Whether the records are in columns; undefined before the first row. */
  #isTurned: boolean | undefined;
  readonly #places: PlaceCheck | undefined;
  /** Set if the columns have labels. */
  readonly #headers: HeaderLabels | undefined;
  #doubt: LateFact | undefined;
  /** Set if values are typed. */
  readonly #untyper: RowUntyper | undefined;
  /** Event, repeat instrument and instance of the last row. */
  #keyTexts: readonly string[] = [];

  /**
   * @param project what is late of it may be added between two rows
   * @param problems receives what the rows break
   * @param recordIdMinLength minimum length of the id of a new record; 20 by default
   */
  constructor(
    private readonly project: ProjectFacts,
    request: ImportRequest,
    readonly remarks: ImportRemarks,
    readonly problems: ProblemList,
    recordIdMinLength?: number,
  ) {
    const { dictionary, structure, missing } = project;
    this.#columns = new ColumnChecks(request, project);
    if (request.rawOrLabelHeaders === 'label')
      this.#headers = new HeaderLabels(dictionary, structure, missing);
    this.#isForced = request.forceAutoNumber === true;
    this.#places = structure && new PlaceCheck(structure, request.type === 'eav');
    this.#unknown = new UnknownColumns(dictionary);
    const isEav = request.type === 'eav';
    if (isEav) this.#eav = new EavCells(dictionary, this.#columns, this.#unknown, remarks);
    this.#idColumn = isEav ? 'record' : (dictionary.recordIdField?.name ?? 'record_id');
    this.#ids = new RecordIdCheck(request, project, recordIdMinLength);
    if (request.values === 'typed') this.#untyper = new RowUntyper(dictionary);
  }

  /** What the check of the last row depends on and does not know. */
  get doubt(): LateFact | undefined {
    return this.#doubt;
  }

  /**
   * @returns the row to send; undefined if nothing of it is sent, if there is a `doubt`, or if there is a problem
   */
  check(item: InputRow): CheckedRow | undefined {
    const { problems } = this;
    const before = problems.count;
    this.#doubt = undefined;
    const checked = this.#checked(item);
    const hasProblem = problems.count > before;
    const isValid = !hasProblem && this.#doubt === undefined && !problems.isFull;
    if (isValid) this.remarks.endRow(checked?.record ?? '', item.place, this.#keyTexts);
    else this.remarks.dropRow();
    return isValid ? checked : undefined;
  }

  #checked(item: InputRow): CheckedRow | undefined {
    if (this.#untyper === undefined) return this.#checkSent(item);
    // Typed values are turned back into text, which is then checked like any other row.
    const formless: Misfitting[] = [];
    const row = this.#untyper.untype(item.row, (problem) => formless.push(problem));
    const checked = this.#checkSent({ ...item, row, columns: Object.keys(row) });
    if (this.#doubt === undefined) for (const { field, rule } of formless) this.problems.add(field, rule);
    return checked;
  }

  /** @returns false if the row cannot be checked before the records of the project are known */
  #beginRow(record: string, place: RowPlace, isInexact: boolean): boolean {
    const { problems } = this;
    const isAccepted = this.#ids.accepts(record);
    if (!isAccepted && this.#ids.dependsOnRecords(record)) {
      this.#doubt = 'records';
      return false;
    }
    problems.beginRow(isAccepted ? record : '', place);
    if (!isAccepted) {
      const rule = isInexact ? say('inexact_number') : this.#ids.rule(record);
      const isNumbered = record === '' && this.project.isNumbering;
      problems.add(this.#idColumn, rule, isNumbered ? { hint: say('auto_number_option') } : {});
    } else if (this.#ids.isUnlikeNumbers(record)) {
      const isNew = this.#ids.isNewBesideNumbers(record);
      if (isNew === undefined) this.#doubt = 'records';
      if (isNew === true)
        this.remarks.warn({
          ...{ field: this.#idColumn, instrument: '', rule: 'unnumbered_id', ...say('unnumbered_id') },
        });
      return isNew !== undefined;
    }
    return true;
  }

  #checkSent(sent: InputRow): CheckedRow | undefined {
    const { problems } = this;
    const item = this.#headers === undefined ? sent : this.#headers.named(sent, problems);
    if (item === undefined) return undefined;
    const { row, place } = item;
    this.#isTurned ??= this.#hasRecordsInColumns(item);
    if (this.#isTurned) {
      // Said once: every other problem follows from it.
      problems.beginRow('', place);
      if (problems.isNew('table')) problems.add('table', say('records_in_columns'));
      return undefined;
    }
    const text = textOf(row, this.#idColumn);
    const isInexact = text === undefined && Object.hasOwn(row, this.#idColumn);
    // Where REDCap numbers the records, ids only say which rows belong together.
    const isPlaced = text === undefined || text === '';
    const record = isPlaced && this.#isForced && !isInexact ? `row ${place.row}` : (text ?? '');
    if (this.#places !== undefined && this.project.dags === undefined && !isBlank(row[GROUP])) {
      this.#doubt = 'dags';
      return undefined;
    }
    if (!this.#beginRow(record, place, isInexact)) return undefined;
    const cells =
      this.#eav === undefined ? this.#flatCells(item, record) : this.#eav.of(item, record, problems);
    if (cells === undefined) return undefined;
    this.#checkPlace(item, cells);
    this.#keyTexts = KEY_COLUMNS.map((name) => cells[name] ?? '');
    const isNewInstance = cells['redcap_repeat_instance'] === 'new';
    if (!isNewInstance)
      this.remarks.setKey([
        record,
        ...this.#keyTexts,
        this.#eav === undefined ? '' : (cells['field_name'] ?? ''),
      ]);
    return { record, json: jsonOf(cells, problems), isNewInstance };
  }

  /** Whether a row begins with the name of a field, and only its first column may be one. */
  #hasRecordsInColumns({ row, columns }: InputRow): boolean {
    const [first = '', ...others] = columns;
    const name = textOf(row, first) ?? '';
    const isKnown = (column: string): boolean =>
      column === this.#idColumn || this.#columns.get(column) !== undefined;
    return (
      this.#eav === undefined && name !== '' && isKnown(name) && others.length > 0 && !others.some(isKnown)
    );
  }

  /** A row whose event or instrument is no name at all goes nowhere, which is reported already. */
  #checkPlace({ row }: InputRow, cells: Cells): void {
    const isLost = KEY_COLUMNS.some((name) => cells[name] === undefined && !isBlank(row[name]));
    const { dags } = this.project;
    if (!isLost) this.#places?.check(cells, dags === 'unread' ? undefined : dags, this.problems);
  }

  /** Returns the cells to send. Most rows are sent as they are: only others are copied. */
  #flatCells({ row, columns }: InputRow, record: string): Cells {
    let cells: Cells | undefined;
    for (let index = 0; index < columns.length; index++) {
      const name = columns[index] ?? '';
      const sent = row[name];
      const value = name === this.#idColumn ? record : this.#checkedCell(name, index, sent);
      if (value === sent) continue;
      cells ??= { ...row } as Cells;
      cells[name] = value;
    }
    if (!Object.hasOwn(row, this.#idColumn)) cells = { [this.#idColumn]: record, ...(cells ?? row) } as Cells;
    return cells ?? (row as Cells);
  }

  /** @returns undefined for a cell that is not sent */
  #checkedCell(name: string, index: number, sent: CellValue | undefined): string | undefined {
    const check = this.#columns.get(name);
    if (check === undefined) this.#unknown.tell(name, index, this.problems);
    else if (check.ignored !== undefined) this.remarks.ignore(name, check.ignored, isBlank(sent));
    else return checkedValue(sent, check, this);
    return undefined;
  }
}

/** The columns that distinguish the rows of one record. */
const KEY_COLUMNS = ['redcap_event_name', 'redcap_repeat_instrument', 'redcap_repeat_instance'] as const;
