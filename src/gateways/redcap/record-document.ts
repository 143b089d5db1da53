import type { CallOptions } from './call-options.js';
import type { RecordRow } from './record-row.js';
import type { TypedValue } from './typed-row.js';

/**
 * One record as a nested document: its events, the instruments of each event, and the values of each instrument.
 * `Value` is text, or a typed value.
 */
export interface RecordDocument<Value = TypedValue> {
  readonly record: string;
  /** The unique name of its data access group; empty if it has none. Present only if requested. */
  readonly dataAccessGroup?: string;
  /**
   * In project order, without events at which the record has no data. A classic project has one event, with an empty
   * name.
   */
  readonly events: readonly EventDocument<Value>[];
}

/** The data of a record at one event. */
export interface EventDocument<Value = TypedValue> {
  /** The unique event name. */
  readonly event: string;
  /** In project order. */
  readonly instruments: readonly InstrumentDocument<Value>[];
}

/** The data of a record in one instrument at one event. */
export interface InstrumentDocument<Value = TypedValue> {
  /** The unique name. */
  readonly instrument: string;
  /** By instance number; empty if the instrument has not been started. */
  readonly instances: readonly InstanceDocument<Value>[];
}

/** One form, as filled in. */
export interface InstanceDocument<Value = TypedValue> {
  /** The repeat instance; null if neither the instrument nor its event repeats. */
  readonly instance: number | null;
  /** Its fields and its form status, by name. */
  readonly values: Readonly<Record<string, Value>>;
}

/** Selects which parts of a record are read. */
export interface GetRecordOptions extends CallOptions {
  readonly fields?: readonly string[] | undefined;
  /** Unique instrument names. Their fields are added to `fields`. */
  readonly forms?: readonly string[] | undefined;
  readonly events?: readonly string[] | undefined;
  /** Adds the data access group. */
  readonly exportDataAccessGroups?: boolean | undefined;
  /** Adds labels to codes. */
  readonly labels?: boolean | undefined;
  /** How a missing data code is represented: as `{ missing: 'UNK' }` (`code`, the default) or as null. */
  readonly missing?: 'code' | 'null' | undefined;
  /** Called for each value that does not match the type of its field. */
  readonly onMisfit?: ((row: RecordRow, column: string) => void) | undefined;
}
