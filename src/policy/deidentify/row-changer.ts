import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import { NotInPolicyError } from '../../domain/errors/access-errors.js';
import { cellOf, type RecordRow } from '../../gateways/redcap/record-row.js';
import { changedCell, type CellContext, type CellRule } from './cell-rules.js';
import type { RecordKeys } from './record-keys.js';
import type { Transforms } from './transforms.js';

/** SHA-256 of the files that policies were read from, as `sha256:` and hexadecimal digits. */
export interface FileDigests {
  readonly policy: string;
  readonly lock: string;
}

/** How the values of a view are de-identified. */
export interface Deidentification extends Transforms {
  /** How the cells of visible fields are changed, by field; the others stay as they are. */
  readonly rules: ReadonlyMap<string, CellRule>;
  /** What depends on the record; undefined until the view has a caller. */
  readonly keys: RecordKeys | undefined;
  /** The files that say so, for manifests; undefined for a policy that a program has made. */
  readonly digests?: FileDigests | undefined;
  /** Counts the exported cells with a changed value, by field; undefined if nobody asks for a manifest. */
  readonly met?: Map<string, number> | undefined;
}

interface ChangedRecord {
  readonly id: string;
  readonly shown: string;
  readonly context: CellContext;
}

/** De-identifies the rows of one export, one record after the other. */
export class RowChanger {
  readonly #deidentify: Deidentification;
  readonly #keys: RecordKeys;
  readonly #idName: string;
  readonly #missing: ReadonlySet<string>;
  readonly #firstYear: number | undefined;
  readonly #rules: readonly (readonly [string, CellRule])[];
  /** The record of the last row. */
  #record: ChangedRecord | undefined;
  readonly #exported = new Map<string, number>();

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
    if (shown !== record) changed[this.#idName] = shown;
    for (const [name, rule] of this.#rules) {
      const value = this.#valueIn(changed, name);
      if (value !== undefined) changed[name] = changedCell(rule, value, context);
    }
    return changed;
  }

  /**
   * Counts the values of changed rows that are exported. What became blank, because it was of another form than its rule
   * is for, does not exist for the caller.
   *
   * @param columns the exported ones
   */
  count(rows: readonly RecordRow[], columns: ReadonlySet<string>): void {
    if (this.#deidentify.met === undefined) return;
    const names = this.#rules.map(([name]) => name).filter((name) => columns.has(name));
    for (const row of rows)
      for (const name of names)
        if (this.#valueIn(row, name) !== undefined)
          this.#exported.set(name, (this.#exported.get(name) ?? 0) + 1);
  }

  /** Hands over what was counted, once the export is whole: one that breaks off may be made again. */
  finish(): void {
    const { met } = this.#deidentify;
    for (const [name, count] of this.#exported) met?.set(name, (met.get(name) ?? 0) + count);
  }

  #recordOf(id: string): ChangedRecord {
    const { recordId, dates } = this.#deidentify;
    const shown = recordId === 'kept' ? id : this.#keys.pseudonymOf(id);
    const days = dates === 'shift' ? this.#keys.daysOf(id) : 0;
    return { id, shown, context: { days, firstYear: this.#firstYear } };
  }

  /** Returns the value of a cell that rules are for; undefined if it is blank, or a missing data code. */
  #valueIn(row: RecordRow, name: string): string | undefined {
    const value = `${cellOf(row, name) ?? ''}`;
    return value === '' || this.#missing.has(value) ? undefined : value;
  }
}
