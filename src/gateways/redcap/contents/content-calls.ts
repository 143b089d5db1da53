import type { Readable } from 'node:stream';
import type * as z from 'zod';
import type { CallOptions, PartOptions } from '../call-options.js';
import type { ExportForm } from '../export-form.js';
import type { FileSource } from '../request-body.js';
import { openExport } from '../open-export.js';
import type { RedcapWire } from '../redcap-wire.js';
import type { SharedReads } from '../resilience/shared-reads.js';
import type { WireParameters } from '../wire-parameters.js';
import type { FileDownload } from './file-transfer.js';

/** How a read is handled, beyond its parameters. */
export interface ReadRules {
  /** The message of a 400 that means an empty list, as in a classic project's answer about events. */
  readonly emptyIf?: RegExp | undefined;
}

/** How a write is handled, beyond its parameters. */
export interface WriteRules {
  /** Whether making the call twice has the same effect as making it once, so it may be retried. No by default. */
  readonly isRepeatable?: boolean | undefined;
}

/**
 * Makes the calls for all contents of REDCap's API. Reads of project structure are shared and cached, writes clear the
 * cache, and only the options that every call has are passed on.
 */
export class ContentCalls {
  constructor(
    private readonly wire: RedcapWire,
    private readonly reads: SharedReads,
  ) {}

  /** Reads project structure. The call is shared by simultaneous readers, and its answer is cached for a while. */
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

  /** Reads plain text, like `read`. @throws {UpstreamInvalidError} the text does not match the pattern */
  readText(parameters: WireParameters, pattern: RegExp, options: CallOptions): Promise<string> {
    return this.reads.get(JSON.stringify(parameters), options, (shared) =>
      this.wire.text(parameters, pattern, { ...shared, isSafe: true }),
    );
  }

  /** Reads a list, like `read`. Each caller gets its own array; the entries are shared. */
  async list<Row>(
    parameters: WireParameters,
    schema: z.ZodType<Row[]>,
    options: CallOptions,
    rules: ReadRules = {},
  ): Promise<Row[]> {
    return [...(await this.read(parameters, schema, options, rules))];
  }

  /** Reads data that can change at any time and is never cached. */
  ask<Value>(parameters: WireParameters, schema: z.ZodType<Value>, options: CallOptions): Promise<Value> {
    return this.wire.json(parameters, schema, { ...callOf(options), isSafe: true });
  }

  /** Reads plain text. @throws {UpstreamInvalidError} the text does not match the pattern */
  askText(parameters: WireParameters, pattern: RegExp, options: CallOptions): Promise<string> {
    return this.wire.text(parameters, pattern, { ...callOf(options), isSafe: true });
  }

  /** Reads plain text to see whether REDCap responds at all. */
  async probe(parameters: WireParameters, pattern: RegExp, options: CallOptions): Promise<void> {
    await this.wire.text(parameters, pattern, { ...callOf(options), isSafe: true, isProbe: true });
  }

  /** Reads rows of any number, as REDCap's own bytes, which are empty for CSV without rows. */
  openRows(parameters: WireParameters, options: CallOptions): Promise<Readable> {
    return openExport(this.wire, parameters, callOf(options));
  }

  /** Reads data of any size, as REDCap's own bytes. */
  stream(parameters: WireParameters, form: ExportForm, options: CallOptions): Promise<Readable> {
    return this.wire.stream(parameters, form, { ...callOf(options), isSafe: true });
  }

  /** Reads a file. @param form its format, if known */
  download(parameters: WireParameters, options: CallOptions, form?: ExportForm): Promise<FileDownload> {
    return this.wire.download(parameters, form, { ...callOf(options), isSafe: true });
  }

  /** Writes a file, without retries. The cache is kept, because the design of the project does not change. */
  upload(parameters: WireParameters, file: FileSource, options: CallOptions): Promise<void> {
    return this.wire.upload(parameters, file, callOf(options));
  }

  /** Writes data without retries, for an empty answer. The cache is kept, as with an upload. */
  async writeNothing(parameters: WireParameters, options: CallOptions): Promise<void> {
    await this.wire.text(parameters, /^$/, callOf(options));
  }

  /** Writes records. The cache is kept, because records are not part of it. */
  store<Value>(
    parameters: WireParameters,
    schema: z.ZodType<Value>,
    options: CallOptions,
    { isRepeatable }: WriteRules,
  ): Promise<Value> {
    return this.wire.json(parameters, schema, { ...callOf(options), isRepeatable });
  }

  /** Makes a write that is answered with a number. */
  async count(
    parameters: WireParameters,
    options: CallOptions,
    { isRepeatable }: WriteRules = {},
  ): Promise<number> {
    const write = (call: CallOptions): Promise<string> =>
      this.wire.text(parameters, /^\d{1,15}$/, { ...call, isRepeatable });
    return Number(await this.change(write, options));
  }

  /** Makes a write that is answered with JSON, without retries. */
  write<Value>(parameters: WireParameters, schema: z.ZodType<Value>, options: CallOptions): Promise<Value> {
    return this.change((call) => this.wire.json(parameters, schema, call), options);
  }

  /** Makes a write that is answered with plain text, without retries. */
  writeText(parameters: WireParameters, pattern: RegExp, options: CallOptions): Promise<string> {
    return this.change((call) => this.wire.text(parameters, pattern, call), options);
  }

  /** Makes a write. The cache is cleared before and after it, whatever its outcome. */
  private async change<Value>(
    write: (call: CallOptions) => Promise<Value>,
    options: CallOptions,
  ): Promise<Value> {
    await this.reads.invalidate();
    try {
      return await write(callOf(options));
    } finally {
      await this.reads.invalidate();
    }
  }
}

/** Returns the options that every call has, so that no others are passed on by accident. */
function callOf({
  signal,
  caller,
  traceparent,
  isContinuation,
}: CallOptions & PartOptions): CallOptions & PartOptions {
  return { signal, caller, traceparent, isContinuation };
}
