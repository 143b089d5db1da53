import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import type { RecordRow } from '../../gateways/redcap/crf-client.js';

/** Values that do not fit the type of their field. */
export interface MisfitList {
  /** @isInt */
  readonly count: number;
  /** The number of such values, by export column. */
  readonly fields: { readonly [column: string]: number };
  /** The positions of the first such values, at most 100. */
  readonly first: readonly Misfit[];
}

/** The position of a value that does not fit. */
export interface Misfit {
  readonly record: string;
  readonly event: string;
  /** @isInt */
  readonly instance: number | null;
  readonly field: string;
}

/** The values of one export that did not fit their types. All are counted, and the first ones are listed. */
export class Misfits {
  readonly #idField: string;
  readonly #fields = new Map<string, number>();
  readonly #first: Misfit[] = [];
  #count = 0;

  constructor(structure: ProjectStructure) {
    this.#idField = structure.dictionary.recordIdField?.name ?? '';
  }

  get count(): number {
    return this.#count;
  }

  add(row: RecordRow, field: string): void {
    this.#count++;
    this.#fields.set(field, (this.#fields.get(field) ?? 0) + 1);
    if (this.#first.length === MAX_NAMED) return;
    const instance = row['redcap_repeat_instance'];
    this.#first.push({
      record: `${row[this.#idField] ?? ''}`,
      event: `${row['redcap_event_name'] ?? ''}`,
      instance: instance === undefined || instance === '' ? null : Number(instance),
      field,
    });
  }

  toJSON(): MisfitList {
    return { count: this.#count, fields: Object.fromEntries(this.#fields), first: this.#first };
  }
}

const MAX_NAMED = 100;
