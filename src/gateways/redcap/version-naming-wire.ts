import type * as z from 'zod';
import { NotSupportedUpstreamError } from '../../errors/upstream-errors.js';
import type { AnswerStream } from './answer-stream.js';
import type { CallOptions } from './call-options.js';
import type { ExportForm } from './export-form.js';
import type { FileSource } from './multipart-upload.js';
import type { Download } from './redcap-transport.js';
import type { RedcapWire, WireOptions } from './redcap-wire.js';
import type { WireParameters } from './wire-parameters.js';

/** Adds REDCap's version to the error of a call that this version does not support. */
export class VersionNamingWire implements RedcapWire {
  /** @param askVersion only called after such an error */
  constructor(
    private readonly wire: RedcapWire,
    private readonly askVersion: (options: CallOptions) => Promise<string>,
  ) {}

  text(parameters: WireParameters, pattern: RegExp, options: WireOptions = {}): Promise<string> {
    return this.#named(this.wire.text(parameters, pattern, options), options);
  }

  json<Value>(
    parameters: WireParameters,
    schema: z.ZodType<Value>,
    options: WireOptions = {},
  ): Promise<Value> {
    return this.#named(this.wire.json(parameters, schema, options), options);
  }

  stream(parameters: WireParameters, form: ExportForm, options: WireOptions = {}): Promise<AnswerStream> {
    return this.#named(this.wire.stream(parameters, form, options), options);
  }

  download(
    parameters: WireParameters,
    form: ExportForm | undefined,
    options: WireOptions = {},
  ): Promise<Download> {
    return this.#named(this.wire.download(parameters, form, options), options);
  }

  upload(parameters: WireParameters, file: FileSource, options: WireOptions = {}): Promise<void> {
    return this.#named(this.wire.upload(parameters, file, options), options);
  }

  close(): void {
    this.wire.close();
  }

  async #named<Value>(answer: Promise<Value>, { signal, caller }: CallOptions): Promise<Value> {
    try {
      return await answer;
    } catch (error) {
      if (!(error instanceof NotSupportedUpstreamError)) throw error;
      // The original error matters more than a failure to read the version.
      const version = await this.askVersion({ signal, caller }).catch(() => undefined);
      throw new NotSupportedUpstreamError(error.operation, version, { cause: error });
    }
  }
}
