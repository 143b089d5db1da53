import { say, type Sentence } from '../../domain/errors/sentences.js';
import { isRecordId, RECORD_ID_MIN_LENGTH, recordIdRule } from '../../domain/identifiers/record-id.js';
import type { ImportRequest } from './import-request.js';
import type { ProjectFacts } from './imported-project.js';
import { isLikeNumbers } from './known-records.js';

/** Decides which record ids the rows of one import may have. */
export class RecordIdCheck {
  readonly #isAutoNumbered: boolean;
  readonly #only: ImportRequest['only'];
  readonly #minLength: number;

  /** @param minLength of the id of a new record, unless REDCap numbers them */
  constructor(
    request: ImportRequest,
    private readonly project: Pick<ProjectFacts, 'isNumbering' | 'records'>,
    minLength = RECORD_ID_MIN_LENGTH,
  ) {
    this.#isAutoNumbered = request.forceAutoNumber === true;
    this.#only = request.only;
    this.#minLength = project.isNumbering ? 1 : minLength;
  }

  accepts(record: string): boolean {
    if (record === '' || this.#isAutoNumbered) return record !== '';
    if (this.#only !== undefined) {
      if (this.project.records === undefined) return false;
      if (this.#isOfKnownRecord(record) !== (this.#only === 'existing')) return false;
    }
    return (
      isRecordId(record, this.#minLength) ||
      this.#isOfKnownRecord(record) ||
      // What REDCap itself would call the next record.
      (record === this.project.records?.nextId && isRecordId(record, 1))
    );
  }

  /** @returns whether an accepted id may be unlike those that REDCap gives in this project */
  isUnlikeNumbers(record: string): boolean {
    return this.project.isNumbering && !this.#isAutoNumbered && !isLikeNumbers(record);
  }

  /** @returns whether the project has numbers, and no such record; undefined if its records are not known */
  isNewBesideNumbers(record: string): boolean | undefined {
    const { records } = this.project;
    return records && records.areNumbers === true && !this.#isOfKnownRecord(record);
  }

  /** @returns whether an id that is not accepted might be, once the records of the project are known */
  dependsOnRecords(record: string): boolean {
    return isRecordId(record, 1) && this.project.records === undefined;
  }

  /** @returns the rule that an id breaks that is not accepted */
  rule(record: string): Sentence {
    if (record === '') return say('record_id_empty');
    if (this.#only === 'existing' && isRecordId(record, 1)) return say('record_stored');
    if (this.#only === 'new' && this.#isOfKnownRecord(record)) return say('record_new');
    return recordIdRule(this.#minLength, record);
  }

  /** An id is short only if it were new. */
  #isOfKnownRecord(record: string): boolean {
    return isRecordId(record, 1) && this.project.records?.has(record) === true;
  }
}
