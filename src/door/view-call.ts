import type { Readable } from 'node:stream';
import type { CallOptions, CrfCalls } from '../gateways/redcap/crf-client.js';
import type { AuditDetails } from '../records/audit-notes.js';
import type { Answer, Format } from '../wire/answer.js';
import type { Parameters } from '../wire/parameters.js';
import type { SentCall } from './sent-call.js';

/** A call of REDCap's API, to be answered from what its caller sees of the project. */
export interface ViewCall {
  readonly parameters: Parameters;
  /** The format of the data, sent or exported. */
  readonly format: Format;
  /** The format of the results of imports and deletes. */
  readonly returnFormat: Format;
  readonly sent: SentCall;
  /** The calls of the view, and the options that each is made with. */
  readonly calls: CrfCalls;
  readonly options: CallOptions;
  /** Does the work while no other change of these records is being made. */
  readonly hold: <Result>(records: readonly string[], work: () => Promise<Result>) => Promise<Result>;
  /** Adds to the entry of the call in the audit log. */
  readonly note: (details: AuditDetails) => void;
}

/** Bytes of an answer that arrive. */
export interface StreamAnswer {
  readonly kind: 'stream';
  readonly type: string;
  readonly body: Readable;
}

/** Answers a pair of content and action: its parameters, a call of the view, and rows under REDCap's names. */
export type Entry = (call: ViewCall) => Promise<Answer | StreamAnswer>;
