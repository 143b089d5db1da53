import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import type { RecordRow } from '../../gateways/redcap/crf-client.js';

/** A value that does not fit the type of its field. Contains its place, but never the value. */
export interface Misfit {
  readonly record: string;
  readonly event: string;
  readonly instance: number | null;
  /** The export column. */
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

  /** Returns the total, the counts by field, and the first hundred misfits. */
  toJSON(): { count: number; fields: Record<string, number>; first: readonly Misfit[] } {
    return { count: this.#count, fields: Object.fromEntries(this.#fields), first: this.#first };
  }
}

const MAX_NAMED = 100;
