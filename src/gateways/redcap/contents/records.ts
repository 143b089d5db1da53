import { z } from 'zod';
import { EventName } from '../../../identifiers/event-name.js';
import { InstrumentName } from '../../../identifiers/instrument-name.js';
import type { CallOptions } from '../call-options.js';
import { ExistingRecordId } from '../../../identifiers/record-id.js';
import { requiredText, text } from './answer-values.js';
import type { ContentCalls } from './content-calls.js';
import { namedList } from './named-list.js';

export interface DeleteRecordsOptions extends CallOptions {
  readonly arm?: number | undefined;
  readonly instrument?: string | undefined;
  readonly event?: string | undefined;
  readonly repeatInstance?: number | undefined;
  /** Whether the log forgets the record as well, where the project allows it. */
  readonly deleteLogging?: boolean | undefined;
}

/** What a record was assigned to. */
export interface Randomization {
  /** The code of the choice that the target field has now. */
  readonly target: string;
  /** With `returnAlt`: the randomization number, `*` where it is concealed. */
  readonly alternativeTarget: string;
}

export interface RandomizeOptions extends CallOptions {
  /** Whether the randomization number is asked for too. */
  readonly returnAlt?: boolean | undefined;
}

export interface RenameRecordOptions extends CallOptions {
  /** Only in this arm; in all of them by default. */
  readonly arm?: number | undefined;
}

const RandomizationRow = z
  .object({ target_field: requiredText, target_field_alt: text })
  .transform((row) => ({ target: row.target_field, alternativeTarget: row.target_field_alt }));

/** One object, or a list of one: both have been documented. */
const RandomizationAnswer: z.ZodType<Randomization> = z.union([
  RandomizationRow,
  z.tuple([RandomizationRow]).transform(([row]) => row),
]);

/** What `content=record` does besides exports and imports. @see docs/protocol/redcap.md 6 (client, doc) */
export class Records {
  constructor(private readonly calls: ContentCalls) {}

  /**
   * Deletes records, or with the options a part of what they hold. When one of them does not exist nothing is deleted.
   *
   * @returns how many records were deleted, or had a part deleted
   */
  async delete(records: readonly string[], options: DeleteRecordsOptions = {}): Promise<number> {
    const parameters = {
      content: 'record',
      action: 'delete',
      records: namedList('records', records).map(ExistingRecordId),
      arm: options.arm,
      instrument: options.instrument === undefined ? undefined : InstrumentName(options.instrument),
      event: options.event === undefined ? undefined : EventName(options.event),
      repeat_instance: options.repeatInstance,
      delete_logging: options.deleteLogging === undefined ? undefined : Number(options.deleteLogging),
    };
    return this.calls.count(parameters, options);
  }

  /** Gives a record another name. It is not repeated after a failure: the old name may be gone. */
  async rename(
    record: string,
    newName: string,
    { arm, ...options }: RenameRecordOptions = {},
  ): Promise<void> {
    const parameters = {
      content: 'record',
      action: 'rename',
      record: ExistingRecordId(record),
      new_record_name: ExistingRecordId(newName),
      arm,
    };
    await this.calls.count(parameters, options);
  }

  /**
   * Assigns a record to an arm of a trial, for good. It is never repeated: who has an assignment is refused another.
   * From REDCap 15 on.
   */
  async randomize(
    record: string,
    randomizationId: number,
    { returnAlt = false, ...options }: RandomizeOptions = {},
  ): Promise<Randomization> {
    const parameters = {
      content: 'record',
      action: 'randomize',
      record: ExistingRecordId(record),
      randomization_id: randomizationId,
      returnAlt,
    };
    return this.calls.write(parameters, RandomizationAnswer, options);
  }

  /** The name REDCap would give the next record. Nothing is reserved: two callers may get the same. */
  nextName(options: CallOptions = {}): Promise<string> {
    return this.calls.askText({ content: 'generateNextRecordName' }, /^[^\p{Cc}]{1,100}$/u, options);
  }
}
