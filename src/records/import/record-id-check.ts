import { say, type Sentence } from '../../domain/errors/sentences.js';
import { isRecordId, RECORD_ID_MIN_LENGTH, recordIdRule } from '../../domain/identifiers/record-id.js';
import type { ImportRequest } from './import-request.js';
import { isLikeNumbers, type KnownRecords } from './known-records.js';

export interface RecordIdCheckOptions {
  /** Minimum length of the id of a new record; 20 by default. */
  readonly recordIdMinLength?: number | undefined;
  /** Whether REDCap numbers the records, so that nobody invents their ids; undefined until a row depends on it. */
  readonly settings?: { readonly isNumbering: boolean } | undefined;
  /** The records of the project; undefined until a row depends on them. */
  readonly records?:
    (Pick<KnownRecords, 'has' | 'nextId'> & Partial<Pick<KnownRecords, 'areNumbers'>>) | undefined;
}

/** Decides which record ids the rows of one import may have. */
export class RecordIdCheck {
  readonly #isAutoNumbered: boolean;
  readonly #only: ImportRequest['only'];
  readonly #minLength: number;

  constructor(
    request: ImportRequest,
    private readonly options: RecordIdCheckOptions,
  ) {
    this.#isAutoNumbered = request.forceAutoNumber === true;
    this.#only = request.only;
    const { recordIdMinLength = RECORD_ID_MIN_LENGTH, settings } = options;
    this.#minLength = settings?.isNumbering ? 1 : recordIdMinLength;
  }

  accepts(record: string): boolean {
    if (record === '' || this.#isAutoNumbered) return record !== '';
    if (this.#only !== undefined) {
      if (this.options.records === undefined) return false;
      if (this.#isOfKnownRecord(record) !== (this.#only === 'existing')) return false;
    }
    return (
      isRecordId(record, this.#minLength) ||
      this.#isOfKnownRecord(record) ||
      // What REDCap itself would call the next record.
      (record === this.options.records?.nextId && isRecordId(record, 1))
    );
  }

  /** @returns whether an accepted id may be unlike those that REDCap gives in this project */
  isUnlikeNumbers(record: string): boolean {
    return this.options.settings?.isNumbering === true && !this.#isAutoNumbered && !isLikeNumbers(record);
  }

  /** @returns whether the project has numbers, and no such record; undefined if its records are not known */
  isNewBesideNumbers(record: string): boolean | undefined {
    const { records } = this.options;
    return records && records.areNumbers === true && !this.#isOfKnownRecord(record);
  }

  /** @returns whether an id that is not accepted might be, once the records of the project are known */
  dependsOnRecords(record: string): boolean {
    const { settings, records } = this.options;
    return isRecordId(record, 1) && settings !== undefined && records === undefined;
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
    return isRecordId(record, 1) && this.options.records?.has(record) === true;
  }
}
