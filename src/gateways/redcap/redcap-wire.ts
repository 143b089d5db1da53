import type * as z from 'zod';
import type { AnswerStream } from './answer-stream.js';
import type { ExportForm } from './export-form.js';
import { AS_NOTHING, asExport, asFile, asJson, asText, type Download } from './readings.js';
import type { FileSource } from './request-body.js';
import type { Send, WireOptions } from './wire-call.js';
import type { WireParameters } from './wire-parameters.js';

/** Calls of REDCap's API, with one method for each kind of answer. All of them make one call with `send`. */
export class RedcapWire {
  /** @param close cancels calls in progress and closes the connections */
  constructor(
    private readonly send: Send,
    readonly close: () => void,
  ) {}

  /** Returns plain text, trimmed. @throws {UpstreamInvalidError} the text does not match the pattern */
  text(parameters: WireParameters, pattern: RegExp, options: WireOptions = {}): Promise<string> {
    return this.send({ ...options, parameters: { format: 'json', ...parameters }, reading: asText(pattern) });
  }

  /** Returns a parsed JSON answer. @throws {UpstreamInvalidError} the answer does not match the schema */
  json<Value>(
    parameters: WireParameters,
    schema: z.ZodType<Value>,
    { emptyIf, ...options }: WireOptions & { readonly emptyIf?: RegExp | undefined } = {},
  ): Promise<Value> {
    const reading = asJson(schema, emptyIf);
    return this.send({ ...options, parameters: { format: 'json', ...parameters }, reading });
  }

  /** Returns the bytes of an export as soon as its beginning has been recognised. */
  stream(parameters: WireParameters, form: ExportForm, options: WireOptions = {}): Promise<AnswerStream> {
    return this.send({ ...options, parameters, reading: asExport(form) });
  }

  /**
   * Returns a file as soon as the answer is known to be one.
   *
   * @param form the file's format, if it is known; if the format shows where the file ends, the framing need not
   */
  download(
    parameters: WireParameters,
    form: ExportForm | undefined,
    options: WireOptions = {},
  ): Promise<Download> {
    return this.send({ ...options, parameters, reading: asFile(form) });
  }

  /** Sends a file while it is read. It cannot be retried, because the source can be read only once. */
  upload(parameters: WireParameters, file: FileSource, options: WireOptions = {}): Promise<void> {
    return this.send({
      ...options,
      isSafe: false,
      isRepeatable: false,
      parameters,
      file,
      reading: AS_NOTHING,
    });
  }
}
