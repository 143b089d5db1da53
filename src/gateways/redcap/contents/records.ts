import * as z from 'zod';
import {
  argument,
  options,
  type Shape,
  type OrUndefined,
} from '../../../domain/identifiers/check-options.js';
import {
  eventName,
  flag,
  instrumentName,
  list,
  listed,
  positiveInteger,
  recordId,
} from './argument-values.js';
import type { EventNameText, InstrumentNameText } from '../../../domain/identifiers/names.js';
import type { ArmNumber } from './arms.js';
import { CALL, type CallOptions } from '../call-options.js';
import { renamed, requiredText, text } from './answer-values.js';
import { content, type ContentCalls } from './content-calls.js';

/** Which data of a record to delete. Without options the whole record is deleted. */
export interface RecordPart {
  /** Only in this arm; in all arms by default. */
  readonly arm?: ArmNumber;
  /** Only the data of this instrument. Longitudinal projects need the event too. */
  readonly instrument?: InstrumentNameText;
  /** Only the data of this event. */
  readonly event?: EventNameText;
  /**
   * Only this instance of a repeating instrument or event.
   * @isInt
   * @minimum 1
   */
  readonly instance?: number;
  /** Also deletes the log history of the record, where the project allows it. */
  readonly deleteLogging?: boolean;
}

/** Which data to delete. */
export interface DeleteRecordsOptions extends OrUndefined<RecordPart>, CallOptions {}

/** The result of randomizing a record. */
export interface Randomization {
  /**
   * The code of the choice that the target field now has.
   * @example "1"
   */
  readonly target: string;
  /**
   * The randomization number if `returnAlt` was set, `*` if it is concealed; otherwise empty.
   * @example ""
   */
  readonly alternativeTarget: string;
}

/** What `randomize` returns. */
export interface RandomizeOptions extends CallOptions {
  /** Whether to return the randomization number too. */
  readonly returnAlt?: boolean | undefined;
}

/** In which arm a record is renamed. */
export interface RenameRecordOptions extends CallOptions {
  /** Only in this arm; in all arms by default. */
  readonly arm?: number | undefined;
}

const RandomizationRow = renamed({
  target: ['target_field', requiredText],
  alternativeTarget: ['target_field_alt', text],
});

/** One object, or a list with one object: both are documented. */
const RandomizationAnswer: z.ZodType<Randomization> = z.union([
  RandomizationRow,
  z.tuple([RandomizationRow]).transform(([row]) => row),
]);

/** Operations of `content=record` besides exports and imports. @see docs/protocol/redcap.md 6 (client, doc) */
export class Records {
  constructor(private readonly calls: ContentCalls) {}

  /**
   * Deletes records, or only the parts of them that the options select. If one of them does not exist, nothing is
   * deleted.
   *
   * @returns how many records were deleted, or had a part deleted
   */
  async delete(records: readonly string[], options: DeleteRecordsOptions = {}): Promise<number> {
    const parameters = {
      content: 'record',
      action: 'delete',
      records,
      arm: options.arm,
      instrument: options.instrument,
      event: options.event,
      repeat_instance: options.instance,
      delete_logging: options.deleteLogging === undefined ? undefined : Number(options.deleteLogging),
    };
    return this.calls.count(parameters, options);
  }

  /** Renames a record. Not retried after a failure: the old name may be gone. */
  async rename(
    record: string,
    newRecord: string,
    { arm, ...options }: RenameRecordOptions = {},
  ): Promise<void> {
    const parameters = {
      content: 'record',
      action: 'rename',
      record,
      new_record_name: newRecord,
      arm,
    };
    await this.calls.count(parameters, options);
  }

  /**
   * Permanently assigns a record to an arm of a trial. Never retried: a record that has an assignment is refused
   * another. REDCap 15 and later.
   */
  async randomize(
    record: string,
    randomizationId: number,
    { returnAlt = false, ...options }: RandomizeOptions = {},
  ): Promise<Randomization> {
    const parameters = {
      content: 'record',
      action: 'randomize',
      record,
      randomization_id: randomizationId,
      returnAlt,
    };
    return this.calls.write(parameters, RandomizationAnswer, options);
  }

  /** Returns the name REDCap would give the next record. Nothing is reserved: two callers may get the same name. */
  nextId(options: CallOptions = {}): Promise<string> {
    return this.calls.askText({ content: 'generateNextRecordName' }, NEXT_NAME, options);
  }
}

/** A number, behind the number of the caller's data access group. @see docs/protocol/redcap.md 6.4 (doc, client) */
const NEXT_NAME = /^(?:\d{1,15}-)?\d{1,100}$/;

const DELETE = {
  ...CALL,
  arm: positiveInteger.optional(),
  instrument: instrumentName.optional(),
  event: eventName.optional(),
  instance: positiveInteger.optional(),
  deleteLogging: flag.optional(),
} satisfies Shape<DeleteRecordsOptions>;

const RENAME = { ...CALL, arm: positiveInteger.optional() } satisfies Shape<RenameRecordOptions>;

const RANDOMIZE = { ...CALL, returnAlt: flag.optional() } satisfies Shape<RandomizeOptions>;

const record = argument('record', recordId);

export const RECORDS = content(Records, {
  delete: [argument('records', list(listed(recordId))), options(DELETE)],
  rename: [record, argument('newRecord', recordId), options(RENAME)],
  randomize: [record, argument('randomizationId', positiveInteger), options(RANDOMIZE)],
  nextId: [options(CALL)],
});
