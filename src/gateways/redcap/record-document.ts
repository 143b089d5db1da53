import type { TypedValue } from './record-row.js';

/** A record as a nested document. */
export interface RecordDocument<Value = TypedValue> {
  /** @example "COHORT-2026-PARTICIPANT-0001" */
  readonly record: string;
  /** The unique name of its data access group, if requested. */
  readonly dag?: string;
  /** The events in project order. A classic project has one, with an empty name. */
  readonly events: readonly EventDocument<Value>[];
}

/** The data of a record at one event. */
export interface EventDocument<Value = TypedValue> {
  /** The unique event name. */
  readonly event: string;
  readonly instruments: readonly InstrumentDocument<Value>[];
}

/** The data of one instrument at one event. */
export interface InstrumentDocument<Value = TypedValue> {
  readonly instrument: string;
  /** The instances by number; empty if nobody has started the instrument. */
  readonly instances: readonly InstanceDocument<Value>[];
}

/** A form as filled in. */
export interface InstanceDocument<Value = TypedValue> {
  /**
   * The number of the repeat instance; null if the instrument does not repeat.
   * @isInt
   */
  readonly instance: number | null;
  /** The fields of the instrument and its form status, by name. */
  readonly values: { readonly [field: string]: Value };
}
