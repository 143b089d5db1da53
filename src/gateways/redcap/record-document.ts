import type { CallOptions } from './call-options.js';
import type { RecordRow } from './record-row.js';
import type { TypedValue } from './typed-row.js';

/**
 * One record as a nested document: its events, in each the instruments that stand there, in each what was entered. `Value` is
 * text, or with typed values what the fields are.
 */
export interface RecordDocument<Value = TypedValue> {
  readonly record: string;
  /** The unique name of its data access group; empty for none. Only where it was asked for. */
  readonly dataAccessGroup?: string;
  /** In project order; those at which the record has nothing are absent. A classic project has one, of the empty name. */
  readonly events: readonly EventDocument<Value>[];
}

/** What a record has at one event. */
export interface EventDocument<Value = TypedValue> {
  /** The unique event name. */
  readonly event: string;
  /** In project order. */
  readonly instruments: readonly InstrumentDocument<Value>[];
}

/** What a record has of one instrument at one event. */
export interface InstrumentDocument<Value = TypedValue> {
  /** Its unique name. */
  readonly instrument: string;
  /** By number; none where nobody has begun it. */
  readonly instances: readonly InstanceDocument<Value>[];
}

/** A form as it was filled in. */
export interface InstanceDocument<Value = TypedValue> {
  /** The repeat instance; null where neither the instrument nor its event repeats. */
  readonly instance: number | null;
  /** Its fields and its form status, by name. */
  readonly values: Readonly<Record<string, Value>>;
}

/** What of a record is read. */
export interface GetRecordOptions extends CallOptions {
  readonly fields?: readonly string[] | undefined;
  /** Unique names of instruments, joined to `fields`. */
  readonly forms?: readonly string[] | undefined;
  readonly events?: readonly string[] | undefined;
  /** Adds the data access group. */
  readonly exportDataAccessGroups?: boolean | undefined;
  /** Codes with their labels. */
  readonly labels?: boolean | undefined;
  /** What stands for a missing data code: `{ missing: 'UNK' }`, the default, or null. */
  readonly missing?: 'code' | 'null' | undefined;
  /** Hears of each value that does not fit the type of its field. */
  readonly onMisfit?: ((row: RecordRow, column: string) => void) | undefined;
}
