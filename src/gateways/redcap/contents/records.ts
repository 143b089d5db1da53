import * as z from 'zod';
import { checkArguments, options } from '../../../errors/check-arguments.js';
import { aBoolean, checkedLater, type OptionRules } from '../../../errors/check-options.js';
import { CALL } from '../call-rules.js';
import { EventName } from '../../../identifiers/event-name.js';
import { InstrumentName } from '../../../identifiers/instrument-name.js';
import type { CallOptions } from '../call-options.js';
import { ExistingRecordId } from '../../../identifiers/record-id.js';
import { requiredText, text } from './answer-values.js';
import { optionalPositiveInteger, positiveInteger } from './checked-values.js';
import type { ContentCalls } from './content-calls.js';
import { namedList } from './named-list.js';

/** Selects the part of the records to delete; by default all of them. */
export interface DeleteRecordsOptions extends CallOptions {
  readonly arm?: number | undefined;
  readonly instrument?: string | undefined;
  readonly event?: string | undefined;
  readonly repeatInstance?: number | undefined;
  /** Whether to delete the record's log entries too, if the project allows it. */
  readonly deleteLogging?: boolean | undefined;
}

/** The result of randomizing a record. */
export interface Randomization {
  /** The code of the choice that the target field now has. */
  readonly target: string;
  /** With `returnAlt`: the randomization number, or `*` if it is concealed. */
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

const RandomizationRow = z
  .object({ target_field: requiredText, target_field_alt: text })
  .transform((row) => ({ target: row.target_field, alternativeTarget: row.target_field_alt }));

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
      records: namedList('records', records).map(ExistingRecordId),
      arm: optionalPositiveInteger('arm', options.arm),
      instrument: options.instrument === undefined ? undefined : InstrumentName(options.instrument),
      event: options.event === undefined ? undefined : EventName(options.event),
      repeat_instance: optionalPositiveInteger('repeatInstance', options.repeatInstance),
      delete_logging: options.deleteLogging === undefined ? undefined : Number(options.deleteLogging),
    };
    return this.calls.count(parameters, options);
  }

  /** Renames a record. Not retried after a failure: the old name may be gone. */
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
      arm: optionalPositiveInteger('arm', arm),
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
      record: ExistingRecordId(record),
      randomization_id: positiveInteger('randomizationId', randomizationId),
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
  arm: checkedLater,
  instrument: checkedLater,
  event: checkedLater,
  repeatInstance: checkedLater,
  deleteLogging: aBoolean,
} satisfies OptionRules<keyof DeleteRecordsOptions>;

const RANDOMIZE = { ...CALL, returnAlt: aBoolean } satisfies OptionRules<keyof RandomizeOptions>;

const RENAME = { ...CALL, arm: checkedLater } satisfies OptionRules<keyof RenameRecordOptions>;

checkArguments(Records, {
  delete: [null, options(DELETE)],
  rename: [null, null, options(RENAME)],
  randomize: [null, null, options(RANDOMIZE)],
  nextId: [options(CALL)],
});
