import type { z } from 'zod';
import type { AnswerStream } from './answer-stream.js';
import type { CallOptions, PartOptions } from './call-options.js';
import type { ExportForm } from './export-form.js';
import type { FileSource } from './multipart-upload.js';
import type { Download, TransportCallOptions } from './redcap-transport.js';
import type { WireParameters } from './wire-parameters.js';

/** What a caller and an operation say of a call. */
export interface WireOptions extends CallOptions, PartOptions, Omit<TransportCallOptions, 'cancellation'> {
  /** Whether the call is a write that comes to the same when it is made twice: it may be tried again. No by default. */
  readonly isRepeatable?: boolean | undefined;
  /** Whether the call only asks whether REDCap answers: a full minute does not refuse it. No by default. */
  readonly isProbe?: boolean | undefined;
}

/** Calls of REDCap's API in the three forms its answers have, as the operations need them. */
export interface RedcapWire {
  /** A plain text, without the blanks around it. @throws {UpstreamInvalidError} it does not have the pattern */
  text(parameters: WireParameters, pattern: RegExp, options?: WireOptions): Promise<string>;
  /** A parsed answer. @throws {UpstreamInvalidError} it does not have the shape of the schema */
  json<Value>(parameters: WireParameters, schema: z.ZodType<Value>, options?: WireOptions): Promise<Value>;
  /** The bytes of an export, once their beginning is known to be one. */
  stream(parameters: WireParameters, form: ExportForm, options?: WireOptions): Promise<AnswerStream>;
  /**
   * A file, once it is known to be one.
   *
   * @param form what its bytes are, where more is known; a form of which the end can be told needs no marked end
   */
  download(
    parameters: WireParameters,
    form: ExportForm | undefined,
    options?: WireOptions,
  ): Promise<Download>;
  /** Sends a file as it is read, once: what was read is not there for a second attempt. */
  upload(parameters: WireParameters, file: FileSource, options?: WireOptions): Promise<void>;
  /** Cancels what is under way and closes the connections. */
  close(): void;
}
