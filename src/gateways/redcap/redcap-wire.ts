import type { z } from 'zod';
import type { AnswerStream } from './answer-stream.js';
import type { CallOptions } from './crf-client.js';
import type { ExportForm } from './export-form.js';
import type { WireParameters } from './wire-parameters.js';

export interface WireOptions extends CallOptions {
  /** Whether the call may be sent twice without harm: a read, or a write that comes to the same. No by default. */
  readonly isSafe?: boolean | undefined;
  /** The words of a 400 that mean an empty list, as classic projects answer about events. */
  readonly emptyIf?: RegExp | undefined;
}

/** Calls of REDCap's API in the three forms its answers have. The token, and the format of errors, are added. */
export interface RedcapWire {
  /** A plain text, without the blanks around it. @throws {UpstreamInvalidError} it does not have the pattern */
  text(parameters: WireParameters, pattern: RegExp, options?: WireOptions): Promise<string>;
  /** A parsed answer. @throws {UpstreamInvalidError} it does not have the shape of the schema */
  json<Value>(parameters: WireParameters, schema: z.ZodType<Value>, options?: WireOptions): Promise<Value>;
  /** The bytes of an export, once their beginning is known to be one. */
  stream(parameters: WireParameters, form: ExportForm, options?: WireOptions): Promise<AnswerStream>;
  /** Closes the connections. */
  close(): void;
}
