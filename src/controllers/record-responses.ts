import type { MisfitsResponse } from './instruments-controller.js';
import type { RecordRowResponse, TypedRowResponse } from './records-controller.js';

/** One record: its rows, or one document with `shape=nested`. */
export interface RecordResponse {
  data: RecordRowResponse[] | TypedRowResponse[] | RecordDocumentResponse;
  /** Typed values only: the values that do not fit the type of their field and stayed text. */
  misfits?: MisfitsResponse;
}

/** A record as a nested document. */
export interface RecordDocumentResponse {
  /** @example "COHORT-2026-PARTICIPANT-0001" */
  record: string;
  /** The unique name of its data access group, if requested. */
  dataAccessGroup?: string;
  /** The events in project order. A classic project has one, with an empty name. */
  events: RecordEventResponse[];
}

/** The data of a record at one event. */
export interface RecordEventResponse {
  /** The unique event name. */
  event: string;
  instruments: RecordInstrumentResponse[];
}

/** The data of one instrument at one event. */
export interface RecordInstrumentResponse {
  instrument: string;
  /** The instances by number; empty if nobody has started the instrument. */
  instances: RecordInstanceResponse[];
}

/** A form as filled in. */
export interface RecordInstanceResponse {
  /**
   * The number of the repeat instance; null if the instrument does not repeat.
   * @isInt
   */
  instance: number | null;
  /** The fields of the instrument and its form status, by name. */
  values: { [field: string]: unknown };
}

/** The id of the next record. */
export interface NextRecordIdResponse {
  data: {
    /** @example "1043" */
    recordId: string;
  };
}

/** The record under its new id. */
export interface RenamedResponse {
  data: {
    /** @example "COHORT-2026-PARTICIPANT-0251" */
    recordId: string;
  };
}

/** The result of a randomization. */
export interface RandomizationResponse {
  data: {
    /**
     * The code of the choice that the target field now has.
     * @example "1"
     */
    target: string;
    /**
     * The randomization number if `returnAlt` was set, `*` if it is concealed; otherwise empty.
     * @example ""
     */
    alternativeTarget: string;
  };
}
