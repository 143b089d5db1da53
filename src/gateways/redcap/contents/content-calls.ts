import type { Readable } from 'node:stream';
import type { z } from 'zod';
import { InvalidRequestError } from '../../../errors/caller-errors.js';
import type { CallOptions, PartOptions } from '../call-options.js';
import type { ExportForm } from '../export-form.js';
import type { FileSource } from '../multipart-upload.js';
import type { RedcapWire } from '../redcap-wire.js';
import type { SharedReads } from '../resilience/shared-reads.js';
import type { WireParameters } from '../wire-parameters.js';
import type { FileDownload } from './file-transfer.js';

/** What a read says of itself beyond its parameters. */
export interface ReadRules {
  /** The words of a 400 that mean an empty list, as classic projects answer about events. */
  readonly emptyIf?: RegExp | undefined;
}

/** What a write says of itself beyond its parameters. */
export interface WriteRules {
  /** Whether making the call twice comes to the same: then it is tried again after a failure. No by default. */
  readonly isRepeatable?: boolean | undefined;
}

/**
 * How the contents of REDCap's API make their calls: what seldom changes is asked once and remembered, a write drops
 * what is remembered, and nothing of the caller's options but these reaches the wire.
 */
export class ContentCalls {
  constructor(
    private readonly wire: RedcapWire,
    private readonly reads: SharedReads,
  ) {}

  /** A read of the project's structure, shared by all who ask at once and remembered for a while. */
  read<Value>(
    parameters: WireParameters,
    schema: z.ZodType<Value>,
    options: CallOptions,
    { emptyIf }: ReadRules = {},
  ): Promise<Value> {
    return this.reads.get(JSON.stringify(parameters), options, (shared) =>
      this.wire.json(parameters, schema, { ...shared, isSafe: true, emptyIf }),
    );
  }

  /** As `read`, of a list. Each caller has an array of its own; the entries are shared. */
  async list<Row>(
    parameters: WireParameters,
    schema: z.ZodType<Row[]>,
    options: CallOptions,
    rules: ReadRules = {},
  ): Promise<Row[]> {
    return [...(await this.read(parameters, schema, options, rules))];
  }

  /** A read of what may change at any time: never remembered. */
  ask<Value>(parameters: WireParameters, schema: z.ZodType<Value>, options: CallOptions): Promise<Value> {
    return this.wire.json(parameters, schema, { ...callOf(options), isSafe: true });
  }

  /** A read of a plain text. @throws {UpstreamInvalidError} it does not have the pattern */
  askText(parameters: WireParameters, pattern: RegExp, options: CallOptions): Promise<string> {
    return this.wire.text(parameters, pattern, { ...callOf(options), isSafe: true });
  }

  /** A read that may be of any size, as REDCap's own bytes. */
  stream(parameters: WireParameters, form: ExportForm, options: CallOptions): Promise<Readable> {
    return this.wire.stream(parameters, form, { ...callOf(options), isSafe: true });
  }

  /** A read of a file. @param form what its bytes are, where that is known */
  download(parameters: WireParameters, options: CallOptions, form?: ExportForm): Promise<FileDownload> {
    return this.wire.download(parameters, form, { ...callOf(options), isSafe: true });
  }

  /** A write of a file, made once. The design of the project stays: what is remembered is kept. */
  upload(parameters: WireParameters, file: FileSource, options: CallOptions): Promise<void> {
    return this.wire.upload(parameters, file, callOf(options));
  }

  /** A write of data that is answered with nothing, and made once. What is remembered is kept, as with an upload. */
  async writeNothing(parameters: WireParameters, options: CallOptions): Promise<void> {
    await this.wire.text(parameters, /^$/, callOf(options));
  }

  /** A write that is answered with a number. */
  async count(
    parameters: WireParameters,
    options: CallOptions,
    { isRepeatable }: WriteRules = {},
  ): Promise<number> {
    const write = (call: CallOptions): Promise<string> =>
      this.wire.text(parameters, /^\d{1,15}$/, { ...call, isRepeatable });
    return Number(await this.change(write, options));
  }

  /** A write that is answered with a document, and made once. */
  write<Value>(parameters: WireParameters, schema: z.ZodType<Value>, options: CallOptions): Promise<Value> {
    return this.change((call) => this.wire.json(parameters, schema, call), options);
  }

  /** A write that is answered with a plain text, and made once. */
  writeText(parameters: WireParameters, pattern: RegExp, options: CallOptions): Promise<string> {
    return this.change((call) => this.wire.text(parameters, pattern, call), options);
  }

  /** A write: what was remembered may be wrong from its start on, and whatever its outcome. */
  async change<Value>(write: (call: CallOptions) => Promise<Value>, options: CallOptions): Promise<Value> {
    await this.reads.invalidate();
    try {
      return await write(callOf(options));
    } finally {
      await this.reads.invalidate();
    }
  }
}

/** The part of the options that every call has: nothing else may reach the wire by accident. */
export function callOf({
  signal,
  caller,
  traceparent,
  isContinuation,
}: CallOptions & PartOptions): CallOptions & PartOptions {
  return { signal, caller, traceparent, isContinuation };
}

/** @throws {InvalidRequestError} it is no whole number from 1 to 2,147,483,647 */
export function positiveInteger(field: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 1 && value <= 2_147_483_647) return value;
  throw new InvalidRequestError([{ field, message: 'must be a whole number from 1' }]);
}
