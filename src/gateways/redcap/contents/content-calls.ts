import { Readable } from 'node:stream';
import type * as z from 'zod';
import { InvalidRequestError } from '../../../domain/errors/caller-errors.js';
import { ProblemError } from '../../../domain/errors/problem-error.js';
import type { NameKind } from '../../../domain/errors/sentences.js';
import { isUnknownName, unknownAmong } from '../../../domain/identifiers/nearest-name.js';
import type { ArgumentsOf } from '../../../domain/identifiers/check-options.js';
import type { AnswerStream } from '../answer-stream.js';
import type { CallOptions, PartOptions, WriteOptions } from '../call-options.js';
import { notAsAsked } from '../classify-answer.js';
import { isCsvDelimiter } from '../csv-delimiter.js';
import { AS_FORWARDED, type ForwardedAnswer, type ForwardedCall } from '../forwarded.js';
import { CSV_FORM, CSV_LABEL_FORM, JSON_FORM, type ExportForm } from '../export-form.js';
import { asExport, asFile, asJson, asText } from '../readings.js';
import type { FileSource } from '../request-body.js';
import type { SharedReads } from '../resilience/shared-reads.js';
import { watchCsvRows } from '../row-watch.js';
import type { Send, WireOptions } from '../wire-call.js';
import type { WireParameters } from '../wire-parameters.js';
import type { FileDownload } from './file-transfer.js';

/** How a read is handled, beyond its parameters. */
interface ReadRules {
  /** The message of a 400 that means an empty list, as in a classic project's answer about events. */
  readonly emptyIf?: RegExp | undefined;
}

/** How a write is handled, beyond its parameters. */
interface WriteRules {
  /** Whether making the call twice has the same effect as making it once, so it may be retried. No by default. */
  readonly isRepeatable?: boolean | undefined;
  /** How many entries are sent, which is what a dry run answers; one by default. */
  readonly sent?: number;
}

/** How an import of a list is handled. */
interface ImportRules extends Omit<WriteRules, 'sent'> {
  /** Whether the list replaces the stored one; undefined where REDCap has no such choice. */
  readonly replace?: boolean | undefined;
}

/** A group of calls: the class that makes them, and what its methods take. */
export const content = <Group>(
  Group: new (calls: ContentCalls) => Group,
  takes: ArgumentsOf<NoInfer<Group>>,
) => ({ Group, takes });

/**
 * Makes the calls for all contents of REDCap's API. Reads of project structure are shared and cached, writes clear the
 * cache, and only the options that every call has are passed on.
 */
export class ContentCalls {
  constructor(
    private readonly send: Send,
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
      this.#json(parameters, schema, { ...shared, isSafe: true }, emptyIf),
    );
  }

  /** Reads plain text, like `read`. @throws {UpstreamInvalidError} the text does not match the pattern */
  readText(parameters: WireParameters, pattern: RegExp, options: CallOptions): Promise<string> {
    return this.reads.get(JSON.stringify(parameters), options, (shared) =>
      this.#text(parameters, pattern, { ...shared, isSafe: true }),
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
    return this.#json(parameters, schema, { ...callOf(options), isSafe: true });
  }

  /** Reads plain text. @throws {UpstreamInvalidError} the text does not match the pattern */
  askText(parameters: WireParameters, pattern: RegExp, options: CallOptions): Promise<string> {
    return this.#text(parameters, pattern, { ...callOf(options), isSafe: true });
  }

  /** Reads plain text to see whether REDCap responds at all. */
  async probe(parameters: WireParameters, pattern: RegExp, options: CallOptions): Promise<void> {
    await this.#text(parameters, pattern, { ...callOf(options), isSafe: true, isProbe: true });
  }

  /**
   * Reads rows of any number, as REDCap's own bytes, which are empty for CSV without rows.
   *
   * An export without rows is an empty body in CSV, but a broken server returns an empty body too. The same export is
   * therefore requested as JSON, where the answer must be `[]`. If that has rows, the CSV is requested once more: a
   * server under load sometimes returns an empty body.
   *
   * @throws {UpstreamInvalidError} the answer is not an export
   * @see docs/protocol/redcap.md 1.8 (client), 20 (issue)
   */
  async openRows(parameters: WireParameters, options: CallOptions): Promise<Readable> {
    const stream = await this.#export(parameters, formOf(parameters), options);
    if (!stream.isEmpty) return stream;
    stream.resume();
    const asJson = { ...parameters, format: 'json', csvDelimiter: undefined, rawOrLabelHeaders: undefined };
    const confirmation = await this.#export(asJson, JSON_FORM, options);
    if (await isEmptyArray(confirmation)) return Readable.from([], { objectMode: false });
    const again = await this.#export(parameters, formOf(parameters), options);
    if (!again.isEmpty) return again;
    again.resume();
    throw notAsAsked('CSV, though there are rows');
  }

  /** Reads data of any size, as REDCap's own bytes. */
  stream(parameters: WireParameters, form: ExportForm, options: CallOptions): Promise<Readable> {
    return this.#export(parameters, form, options);
  }

  /** Reads a file. @param form its format, if known: if it shows where the file ends, the framing need not */
  download(parameters: WireParameters, options: CallOptions, form?: ExportForm): Promise<FileDownload> {
    return this.send({ ...callOf(options), isSafe: true, parameters, reading: asFile(form) });
  }

  /**
   * Sends a file while it is read, without retries: the source can be read only once. The cache is kept, because the
   * design of the project does not change.
   */
  async upload(parameters: WireParameters, file: FileSource, options: CallOptions): Promise<void> {
    const reading = asText(/^$/, 'the empty answer of an upload');
    await this.send({ ...callOf(options), parameters, file, reading });
  }

  /** Writes data without retries, for an empty answer. The cache is kept, as with an upload. */
  async writeNothing(parameters: WireParameters, options: CallOptions): Promise<void> {
    await this.#text(parameters, /^$/, callOf(options));
  }

  /** Writes records. The cache is kept, because records are not part of it. */
  store<Value>(
    parameters: WireParameters,
    schema: z.ZodType<Value>,
    options: CallOptions,
    { isRepeatable }: WriteRules,
  ): Promise<Value> {
    return this.#json(parameters, schema, { ...callOf(options), isRepeatable });
  }

  /** Makes a write that is answered with a number. A dry run ends here, after every check. */
  async count(
    parameters: WireParameters,
    options: WriteOptions,
    { isRepeatable, sent = 1 }: WriteRules = {},
  ): Promise<number> {
    if (options.dryRun) return sent;
    const write = (call: CallOptions): Promise<string> =>
      this.#text(parameters, /^\d{1,15}$/, { ...call, isRepeatable });
    return Number(await this.#change(write, options));
  }

  /**
   * Deletes entries of a list by name, of which REDCap ignores some that are not there, and refuses others.
   *
   * @returns how many were deleted
   * @throws {ProblemError} `name_not_found`: the project does not have all of them; those that it has may be deleted
   */
  async delete(
    kind: NameKind,
    [content, list]: readonly [content: string, list: string],
    names: readonly (string | number)[],
    options: WriteOptions,
  ): Promise<number> {
    const parameters = { content, action: 'delete', [list]: names.map(String) };
    const count = await this.count(parameters, options, { sent: names.length }).catch((error: unknown) => {
      if (!(error instanceof InvalidRequestError) || !error.errors.some(isUnknownName)) throw error;
      throw new ProblemError('name_not_found', { errors: error.errors, cause: error });
    });
    if (count >= new Set(names).size) return count;
    throw new ProblemError('name_not_found', { errors: [unknownAmong(kind, list, names)] });
  }

  /** Imports rows, or settings, as JSON. @returns how many REDCap has accepted */
  import(
    content: string,
    data: object,
    options: WriteOptions,
    { replace, isRepeatable }: ImportRules = {},
  ): Promise<number> {
    const override = replace === undefined ? undefined : Number(replace);
    const parameters = { content, action: 'import', override, data: JSON.stringify(data) };
    const sent = Array.isArray(data) ? data.length : Object.keys(data).length;
    return this.count(parameters, options, { isRepeatable, sent });
  }

  /** Makes a write that is answered with JSON, without retries. */
  write<Value>(parameters: WireParameters, schema: z.ZodType<Value>, options: CallOptions): Promise<Value> {
    return this.#change((call) => this.#json(parameters, schema, call), options);
  }

  /** Makes a write that is answered with plain text, without retries. */
  writeText(parameters: WireParameters, pattern: RegExp, options: CallOptions): Promise<string> {
    return this.#change((call) => this.#text(parameters, pattern, call), options);
  }

  /** Makes a call as a client of REDCap's API has made it. A write clears the cache. */
  forward({ parameters, file, isRead }: ForwardedCall, options: CallOptions): Promise<ForwardedAnswer> {
    const make = (call: CallOptions): Promise<ForwardedAnswer> =>
      this.send({ ...call, isSafe: isRead, parameters, file, isForwarded: true, reading: AS_FORWARDED });
    return isRead ? make(callOf(options)) : this.#change(make, options);
  }

  /** Returns plain text, trimmed. @throws {UpstreamInvalidError} the text does not match the pattern */
  #text(parameters: WireParameters, pattern: RegExp, options: WireOptions): Promise<string> {
    return this.send({ ...options, parameters: { format: 'json', ...parameters }, reading: asText(pattern) });
  }

  /** Returns a parsed JSON answer. @throws {UpstreamInvalidError} the answer does not match the schema */
  #json<Value>(
    parameters: WireParameters,
    schema: z.ZodType<Value>,
    options: WireOptions,
    emptyIf?: RegExp,
  ): Promise<Value> {
    const reading = asJson(schema, emptyIf);
    return this.send({ ...options, parameters: { format: 'json', ...parameters }, reading });
  }

  /** Returns the bytes of an export as soon as its beginning has been recognised. */
  #export(parameters: WireParameters, form: ExportForm, options: CallOptions): Promise<AnswerStream> {
    return this.send({ ...callOf(options), isSafe: true, parameters, reading: asExport(form) });
  }

  /** Makes a write. The cache is cleared before and after it, whatever its outcome. */
  async #change<Value>(write: (call: CallOptions) => Promise<Value>, options: CallOptions): Promise<Value> {
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

function formOf({ format, rawOrLabelHeaders, csvDelimiter }: WireParameters): ExportForm {
  if (format === 'json') return JSON_FORM;
  const form = rawOrLabelHeaders === 'label' ? CSV_LABEL_FORM : CSV_FORM;
  return { ...form, watchRows: () => watchCsvRows(isCsvDelimiter(csvDelimiter) ? csvDelimiter : undefined) };
}

/** Reads only up to the second non-blank character. */
async function isEmptyArray(stream: AnswerStream): Promise<boolean> {
  let head = '';
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    head += chunk.toString('latin1');
    if (/\[\s*\S/.test(head)) break;
  }
  return /\[\s*\]/.test(head);
}
