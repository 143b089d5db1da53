import { isFieldName } from '../../identifiers/field-name.js';
import type { RecordProblem } from '../../errors/field-problem.js';
import { RECORD_ID_MAX_LENGTH } from '../../identifiers/record-id.js';

/** How many problems are told; then an import stops. */
export const MAX_PROBLEMS = 100;

/** What is wrong with the rows of one import: at most `MAX_PROBLEMS`, never a value (IN-07). */
export class ProblemList {
  readonly #problems: RecordProblem[] = [];
  readonly #unknownFields = new Set<string>();
  #record = '';
  #position = 0;

  get isEmpty(): boolean {
    return this.#problems.length === 0;
  }

  get isFull(): boolean {
    return this.#problems.length >= MAX_PROBLEMS;
  }

  get problems(): readonly RecordProblem[] {
    return this.#problems;
  }

  /**
   * What follows is wrong with this row.
   *
   * @param record its id; empty when the id is refused: then it is a value as any other, and the row's number is told
   * @param position the row's number in the input, from 1
   */
  beginRow(record: string, position: number): void {
    this.#record = isPresentable(record) ? record : '';
    this.#position = position;
  }

  add(field: string, message: string): void {
    if (this.isFull) return;
    const where = this.#record === '' ? ` (record number ${this.#position} of the body)` : '';
    this.#problems.push({ record: this.#record, field, message: message + where });
  }

  /**
   * Tells of an unknown field once, at the first row that has it. A name that cannot be one is told by its place.
   *
   * @param index its place in the row, from 0
   */
  addUnknownField(name: string, index: number): void {
    if (this.#unknownFields.has(name)) return;
    if (this.#unknownFields.size < MAX_PROBLEMS) this.#unknownFields.add(name);
    const place = `property number ${index + 1} of record number ${this.#position}`;
    this.add(isFieldName(name) ? name : place, 'is not a field of the project');
  }
}

function isPresentable(record: string): boolean {
  return record.length <= RECORD_ID_MAX_LENGTH && !/[\p{Cc}\p{Cs}]/u.test(record);
}
