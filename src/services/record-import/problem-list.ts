import { isFieldName } from '../../identifiers/field-name.js';
import type { RecordProblem } from '../../errors/field-problem.js';
import { RECORD_ID_MAX_LENGTH } from '../../identifiers/record-id.js';

/** How many problems are told; then an import stops. */
export const MAX_PROBLEMS = 100;

/** What is wrong with the rows of one import: at most `MAX_PROBLEMS`, never a value (IN-07). */
export class ProblemList {
  readonly #problems: RecordProblem[] = [];
  readonly #unknownFields = new Set<string>();

  get isEmpty(): boolean {
    return this.#problems.length === 0;
  }

  get isFull(): boolean {
    return this.#problems.length >= MAX_PROBLEMS;
  }

  get problems(): readonly RecordProblem[] {
    return this.#problems;
  }

  /** @param record the id as it was sent; left out when it can be none */
  add(record: string, field: string, message: string): void {
    if (this.isFull) return;
    this.#problems.push({ record: isPresentable(record) ? record : '', field, message });
  }

  /** Tells of an unknown field once, at the first row that has it. A name that cannot be one is told by its place. */
  addUnknownField(record: string, name: string, position: number, index: number): void {
    if (this.#unknownFields.has(name)) return;
    if (this.#unknownFields.size < MAX_PROBLEMS) this.#unknownFields.add(name);
    if (isFieldName(name)) this.add(record, name, 'is not a field of the project');
    else {
      const place = `property number ${index + 1} of record number ${position}`;
      this.add(record, place, 'is not a field of the project');
    }
  }
}

function isPresentable(record: string): boolean {
  return record.length <= RECORD_ID_MAX_LENGTH && !/[\p{Cc}\p{Cs}]/u.test(record);
}
