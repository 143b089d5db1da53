import type { ProjectStructure } from '../../dictionary/project-structure.js';
import { NotInPolicyError } from '../../errors/access-errors.js';
import { cellOf, type RecordRow } from '../../gateways/redcap/record-row.js';
import { changedCell, type CellContext, type CellRule } from './cell-rules.js';
import type { RecordKeys } from './record-keys.js';
import type { Transforms } from './transforms.js';

/** How the values of a view are de-identified. */
export interface Deidentification extends Transforms {
  /** How the cells of visible fields are changed, by field; the others stay as they are. */
  readonly rules: ReadonlyMap<string, CellRule>;
  /** What depends on the record; undefined until the view has a caller. */
  readonly keys: RecordKeys | undefined;
  /** Counts the cells that were changed, by field, for the manifest of an export. */
  readonly met?: Map<string, number> | undefined;
}

interface ChangedRecord {
  readonly id: string;
  readonly shown: string;
  readonly context: CellContext;
}

/** De-identifies the rows of records, one record after the other. */
export class RowChanger {
  readonly #deidentify: Deidentification;
  readonly #keys: RecordKeys;
  readonly #idName: string;
  readonly #missing: ReadonlySet<string>;
  readonly #firstYear: number | undefined;
  readonly #rules: readonly (readonly [string, CellRule])[];
  /** The record of the last row. */
  #record: ChangedRecord | undefined;

  constructor(
    deidentify: Deidentification,
    { dictionary, missingDataCodes }: ProjectStructure,
    today: Date = new Date(),
  ) {
    if (deidentify.keys === undefined) throw new NotInPolicyError();
    this.#deidentify = deidentify;
    this.#keys = deidentify.keys;
    this.#rules = [...deidentify.rules];
    this.#idName = dictionary.recordIdField?.name ?? '';
    this.#missing = missingDataCodes;
    // Whoever was born later is younger than the age from which ages are put together.
    const { ageTop } = deidentify;
    this.#firstYear = ageTop === undefined ? undefined : today.getUTCFullYear() - ageTop;
  }

  /** Returns the record id that a caller means by what the view shows as one; none if there is no such record. */
  readonly idOf = (shown: string): readonly string[] => {
    if (this.#deidentify.recordId === 'kept') return [shown];
    const id = this.#keys.idOf(shown);
    return id === undefined ? [] : [id];
  };

  /**
   * Returns a row as the view shows it. Missing data codes stay; a value of another form than the rule of its field is for
   * becomes blank.
   *
   * @throws {PolicyInvalidError} the record id is too long for a pseudonym
   */
  change(row: RecordRow, record: string): RecordRow {
    if (record !== this.#record?.id) this.#record = this.#recordOf(record);
    const { shown, context } = this.#record;
    const changed: Record<string, string | number> = { ...row };
    if (shown !== record) {
      changed[this.#idName] = shown;
      this.#count(this.#idName);
    }
    for (const [name, rule] of this.#rules) this.#changeCell(changed, name, rule, context);
    return changed;
  }

  #recordOf(id: string): ChangedRecord {
    const { recordId, dates } = this.#deidentify;
    const shown = recordId === 'kept' ? id : this.#keys.pseudonymOf(id);
    const days = dates === 'shift' ? this.#keys.daysOf(id) : 0;
    return { id, shown, context: { days, firstYear: this.#firstYear } };
  }

  #changeCell(
    row: Record<string, string | number>,
    name: string,
    rule: CellRule,
    context: CellContext,
  ): void {
    const value = cellOf(row, name);
    if (value === undefined || value === '' || this.#missing.has(`${value}`)) return;
    row[name] = changedCell(rule, `${value}`, context);
    this.#count(name);
  }

  #count(name: string): void {
    const { met } = this.#deidentify;
    met?.set(name, (met.get(name) ?? 0) + 1);
  }
}
