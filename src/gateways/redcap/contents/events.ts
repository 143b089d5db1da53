import * as z from 'zod';
import {
  argument,
  listOfObjects,
  options,
  type Shape,
  type OrUndefined,
} from '../../../domain/identifiers/check-options.js';
import {
  anyInteger,
  anyText,
  eventName,
  list,
  listed,
  positiveInteger,
  nonBlankText,
  type LabelText,
} from './argument-values.js';
import { WRITE, type WriteOptions } from '../call-options.js';
import { integer, optionalInteger, renamed, text, uniqueName, wireRows } from './answer-values.js';
import { ARM_FILTER, REPLACE, type ArmFilter, type ArmNumber, type ReplaceOptions } from './arms.js';
import { content, type ContentCalls } from './content-calls.js';
import type { EventNameText } from '../../../domain/identifiers/names.js';

/** An event of a longitudinal project, such as a visit, within its arm. */
export interface ProjectEvent {
  /** The display name. */
  readonly label: string;
  readonly arm: number;
  /** Such as `baseline_arm_1`. It changes along with the label. */
  readonly uniqueName: string;
  /** Shown beside the label on REDCap's pages; may contain piped fields. */
  readonly customLabel: string;
  /** Days from the start. Only if scheduling is enabled. */
  readonly dayOffset?: number;
  /** How many days earlier the event may be. */
  readonly offsetMin?: number;
  /** How many days later the event may be. */
  readonly offsetMax?: number;
  /**
   * The number of the event.
   * @isInt
   */
  readonly id?: number;
}

/** An event. */
export interface ProjectEventChange {
  readonly label: LabelText;
  readonly arm: ArmNumber;
  /**
   * The unique name of an event. Without it, or if no event has it, the event of the arm with this label is changed, or
   * a new one is added.
   */
  readonly uniqueName?: EventNameText;
  /**
   * Text shown next to the label in REDCap's pages; may contain piped fields.
   * @maxLength 1000
   */
  readonly customLabel?: string;
  /**
   * The number of days from the start of the schedule. Only while scheduling is enabled.
   * @isInt
   */
  readonly dayOffset?: number;
  /**
   * How many days earlier the event may take place.
   * @isInt
   */
  readonly offsetMin?: number;
  /**
   * How many days later the event may take place.
   * @isInt
   */
  readonly offsetMax?: number;
  /**
   * Ignored: REDCap numbers the events.
   * @isInt
   */
  readonly id?: number;
}

/** In REDCap's order. */
export const EVENT_COLUMNS = {
  label: ['event_name', text],
  arm: ['arm_num', integer],
  dayOffset: ['day_offset', optionalInteger],
  offsetMin: ['offset_min', optionalInteger],
  offsetMax: ['offset_max', optionalInteger],
  uniqueName: ['unique_event_name', uniqueName],
  customLabel: ['custom_event_label', text],
  id: ['event_id', optionalInteger],
} as const;

const { id: _number, ...CHANGE_COLUMNS } = EVENT_COLUMNS;

const EventRows: z.ZodType<ProjectEvent[]> = z.array(renamed(EVENT_COLUMNS));

/** `content=event`. @see docs/protocol/redcap.md 9.2 (client); 2.1: a classic project answers 400 */
export class Events {
  constructor(private readonly calls: ContentCalls) {}

  /** Returns the events in project order; empty in a classic project. */
  async list({ arms, ...options }: ArmFilter = {}): Promise<ProjectEvent[]> {
    return this.calls.list({ content: 'event', arms: arms?.map(String) }, EventRows, options, {
      emptyIf: /cannot export events/i,
    });
  }

  /**
   * Adds events, and changes those that have a unique name, which then follows the label. Retried after a failure only
   * as a replacement, because an event could be added twice.
   *
   * @returns the number of events that were sent
   */
  async put(
    events: readonly OrUndefined<ProjectEventChange>[],
    { replace = false, ...options }: ReplaceOptions = {},
  ): Promise<number> {
    const rules = { replace, isRepeatable: replace };
    return this.calls.import('event', wireRows(CHANGE_COLUMNS, events), options, rules);
  }

  /**
   * Deletes events by their unique names, with all data stored there.
   *
   * @returns how many were deleted
   * @throws {ProblemError} `name_not_found`: the project does not have all of them
   */
  async delete(uniqueNames: readonly string[], options: WriteOptions = {}): Promise<number> {
    return this.calls.delete('event', ['event', 'events'], uniqueNames, options);
  }
}

const EVENT = {
  label: nonBlankText,
  arm: positiveInteger,
  uniqueName: anyText.optional(),
  customLabel: anyText.optional(),
  dayOffset: anyInteger.optional(),
  offsetMin: anyInteger.optional(),
  offsetMax: anyInteger.optional(),
  id: z.custom<number>().optional(),
} satisfies Shape<ProjectEventChange>;

export const EVENTS = content(Events, {
  list: [options(ARM_FILTER)],
  put: [listOfObjects('events', EVENT), options(REPLACE)],
  delete: [argument('events', list(listed(eventName))), options(WRITE)],
});
