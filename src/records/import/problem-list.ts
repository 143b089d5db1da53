import { createHash } from 'node:crypto';
import type { RecordProblem } from '../../domain/errors/field-problem.js';
import type { Sentence } from '../../domain/errors/sentences.js';
import { RECORD_ID_MAX_LENGTH } from '../../domain/identifiers/record-id.js';
import type { RowPlace } from './input-item.js';
import type { ProblemListener } from './import-request.js';

/** How many problems are reported. An import then stops, unless a listener receives all of them. */
export const MAX_PROBLEMS = 100;

/** How many names are remembered. Rows of JSON can have any number of columns that do not exist. */
const MAX_NAMES = 10_000;
/** Longer names are remembered as digests. */
const LONG_NAME = 100;

/** What was most likely meant by a value or a name that breaks a rule. */
export interface Meant extends Pick<RecordProblem, 'suggestion' | 'hint'> {
  /** The same in English, as the end of the message. */
  readonly words?: string;
}

/** The problems with the rows of one import, without values (IN-07). The first `MAX_PROBLEMS` are kept. */
export class ProblemList {
  readonly #problems: RecordProblem[] = [];
  readonly #reported = new Set<string>();
  #record = '';
  #place: RowPlace = { row: 0, line: 0 };
  #count = 0;

  constructor(private readonly listener?: ProblemListener) {}

  /** The number of all problems, including those that are not kept. */
  get count(): number {
    return this.#count;
  }

  /** Whether no further rows need to be checked. */
  get isFull(): boolean {
    return this.listener === undefined && this.#count >= MAX_PROBLEMS;
  }

  get problems(): readonly RecordProblem[] {
    return this.#problems;
  }

  /**
   * Starts a row. The problems added next belong to it.
   *
   * @param record the id of its record; empty if the id is refused, because it is then treated like any other value
   */
  beginRow(record: string, place: RowPlace): void {
    this.#record = isPresentable(record) ? record : '';
    this.#place = place;
  }

  /** @param more what was most likely meant, which stands behind the rule in the message */
  add(field: string, rule: Sentence, more: Meant = {}): void {
    if (this.isFull) return;
    const { row, line } = this.#place;
    const { words = more.hint && `; ${more.hint.message}`, ...meant } = more;
    const message = rule.message + (words ?? '');
    const ofRecord = this.#record !== '' && { record: this.#record };
    const problem = { ...ofRecord, field, ...rule, message, row, line, ...meant };
    if (this.#count++ < MAX_PROBLEMS) this.#problems.push(problem);
    this.listener?.(problem);
  }

  /**
   * Remembers a name, so that its problem is reported only for the first row that has it.
   *
   * @returns whether it is new; false after `MAX_NAMES` of them, by when the import has long failed
   */
  isNew(name: string): boolean {
    const key = name.length <= LONG_NAME ? name : createHash('sha256').update(name).digest('base64');
    if (this.#reported.size >= MAX_NAMES || this.#reported.has(key)) return false;
    this.#reported.add(key);
    return true;
  }
}

function isPresentable(record: string): boolean {
  return record.length <= RECORD_ID_MAX_LENGTH && !/[\p{Cc}\p{Cs}]/u.test(record);
}
