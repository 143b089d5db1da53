import type * as z from 'zod';
import type { AnswerStream } from './answer-stream.js';
import type { CallOptions, PartOptions } from './call-options.js';
import type { ExportForm } from './export-form.js';
import type { FileSource } from './multipart-upload.js';
import type { Download } from './redcap-transport.js';
import type { TransportCallOptions } from './transport-options.js';
import type { WireParameters } from './wire-parameters.js';

/** Options of a call, from the caller and from the operation. */
export interface WireOptions extends CallOptions, PartOptions, Omit<TransportCallOptions, 'cancellation'> {
  /**
   * Whether the call is a write that has the same effect when it is made twice, so it may be retried. No by default.
   */
  readonly isRepeatable?: boolean | undefined;
  /** Whether the call only checks that REDCap responds. Such a call is not refused by a full minute. No by default. */
  readonly isProbe?: boolean | undefined;
}

/** Calls of REDCap's API, with one method for each kind of request or response. */
export interface RedcapWire {
  /** Returns plain text, trimmed. @throws {UpstreamInvalidError} the text does not match the pattern */
  text(parameters: WireParameters, pattern: RegExp, options?: WireOptions): Promise<string>;
  /** Returns a parsed JSON answer. @throws {UpstreamInvalidError} the answer does not match the schema */
  json<Value>(parameters: WireParameters, schema: z.ZodType<Value>, options?: WireOptions): Promise<Value>;
  /** Returns the bytes of an export as soon as its beginning has been recognised. */
  stream(parameters: WireParameters, form: ExportForm, options?: WireOptions): Promise<AnswerStream>;
  /**
   * Returns a file as soon as the answer is known to be one.
   *
   * @param form the file's format, if it is known; if the format shows where the file ends, the framing need not
   */
  download(
    parameters: WireParameters,
    form: ExportForm | undefined,
    options?: WireOptions,
  ): Promise<Download>;
  /** Sends a file while it is read. It cannot be retried, because the source can be read only once. */
  upload(parameters: WireParameters, file: FileSource, options?: WireOptions): Promise<void>;
  /** Cancels calls in progress and closes the connections. */
  close(): void;
}
