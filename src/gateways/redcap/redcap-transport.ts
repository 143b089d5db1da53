import { Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { urlToHttpOptions } from 'node:url';
import type * as z from 'zod';
import { withDefaults } from '../../errors/check-options.js';
import { UpstreamInvalidError } from '../../errors/upstream-errors.js';
import type { ApiToken } from '../../identifiers/api-token.js';
import { isLoopbackHost } from '../../identifiers/api-url.js';
import { BufferPool } from '../../buffers/buffer-pool.js';
import { readText, toAnswerBody, toTextBody, type AnswerBody } from './answer-body.js';
import { AnswerStream } from './answer-stream.js';
import type { Cancellation } from './cancellation.js';
import { classifyErrorBody, notAsAsked } from './classify-answer.js';
import { toErrorBody } from './error-text.js';
import type { ExportForm } from './export-form.js';
import { readFailure, type FailedAnswer } from './failed-answer.js';
import { FormBody } from './form-body.js';
import { MultipartBody } from './multipart-body.js';
import { readFileHead, type FileHead } from './file-head.js';
import { FILE_FORM, NO_FILE_FORM } from './file-form.js';
import { exchange, type HttpTarget } from './http-exchange.js';
import { MultipartUpload, type FileSource } from './multipart-upload.js';
import { parseJson } from './parse-json.js';
import type { ImportEncoding, RedcapTransportOptions, TransportCallOptions } from './transport-options.js';
import { DEFAULT_TIMEOUTS } from './upstream-timeouts.js';
import type { WireParameters } from './wire-parameters.js';

/**
 * REDCap's API over HTTP: posts one form and classifies the answer by its content. It neither retries (except on a
 * stale keep-alive connection) nor follows redirects, and sends the token only in the request body.
 *
 * @see docs/protocol/redcap.md 1
 */
export class RedcapTransport {
  readonly #token: ApiToken;
  readonly #target: HttpTarget;
  readonly #ownAgent: HttpAgent | undefined;
  readonly #maxAnswerBytes: number;
  readonly #importEncoding: ImportEncoding;

  constructor(options: RedcapTransportOptions) {
    const url = new URL(options.url);
    const isSecure = url.protocol === 'https:';
    const { maxSockets = 8, maxAnswerBytes = 64 * 1024 * 1024 } = options;
    if (options.agent === undefined) {
      this.#ownAgent = new (isSecure ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets });
    }
    this.#token = options.token;
    this.#maxAnswerBytes = maxAnswerBytes;
    this.#importEncoding = options.importEncoding ?? 'multipart';
    this.#target = {
      isSecure,
      request: {
        hostname: urlToHttpOptions(url).hostname,
        port: url.port === '' ? undefined : url.port,
        path: url.pathname,
        agent: options.agent ?? this.#ownAgent,
      },
      headers: {
        accept: '*/*',
        // On loopback, compression costs more than it saves.
        'accept-encoding': isLoopbackHost(url.hostname) ? 'identity' : 'gzip',
        'user-agent': 'crf-service',
      },
      timeouts: withDefaults(DEFAULT_TIMEOUTS, options.timeouts),
      clock: options.clock,
      buffers: new BufferPool(SEND_BUFFER_BYTES, maxSockets),
    };
  }

  async text(
    parameters: WireParameters,
    pattern: RegExp,
    options: TransportCallOptions = {},
  ): Promise<string> {
    const { text } = await this.#read({ format: 'json', ...parameters }, options);
    const errorBody = toErrorBody(text);
    const trimmed = text.trim();
    if (errorBody?.kind === 'blank' && pattern.test('')) return '';
    if (errorBody !== undefined) throw classifyErrorBody(errorBody);
    if (!pattern.test(trimmed)) throw notAsAsked('the text asked for');
    return trimmed;
  }

  async json<Value>(
    parameters: WireParameters,
    schema: z.ZodType<Value>,
    options: TransportCallOptions = {},
  ): Promise<Value> {
    const { text, hasMarkedEnd } = await this.#read({ format: 'json', ...parameters }, options);
    return parseJson(text, hasMarkedEnd, schema);
  }

  async stream(
    parameters: WireParameters,
    form: ExportForm,
    options: TransportCallOptions = {},
  ): Promise<AnswerStream> {
    const response = await this.#succeed(this.#post(parameters, options), parameters, options);
    return this.#open(toTextBody(response), form, options);
  }

  /**
   * @param form the file's format, if more is known than that it is a file
   * @throws {UpstreamInvalidError} the answer is not a file, or nothing would show whether it is complete
   */
  async download(
    parameters: WireParameters,
    form: ExportForm | undefined,
    options: TransportCallOptions = {},
  ): Promise<Download> {
    // A compressed answer would have no known length, and most files are already compressed.
    const target = { ...this.#target, headers: { ...this.#target.headers, 'accept-encoding': 'identity' } };
    const response = await this.#succeed(this.#post(parameters, options, target), parameters, options);
    // With a known format the headers are not needed; some PDFs come without them. See docs/protocol/redcap.md 20.
    const head = readFileHead(response.headers) ?? (form && NAMELESS);
    const body = form === undefined || form.isBinary ? toAnswerBody(response) : toTextBody(response);
    if (head === undefined) {
      // Reads the answer for the error it contains, which this call throws.
      await this.#open(body, NO_FILE_FORM, options);
      throw notAsAsked('a file');
    }
    if (form === undefined && !body.hasMarkedEnd) {
      body.destroy();
      throw new UpstreamInvalidError(NO_END);
    }
    return { ...head, body: await this.#open(body, form ?? FILE_FORM, options) };
  }

  /**
   * @throws {UpstreamInvalidError} the answer is not empty, as that of an upload must be, or came before the whole file
   *   was sent
   */
  async upload(
    parameters: WireParameters,
    file: FileSource,
    options: TransportCallOptions = {},
  ): Promise<void> {
    const body = new MultipartUpload(this.#named(parameters), file);
    const { cancellation, traceparent } = options;
    const answer = exchange(this.#target, body, { cancellation, isSafe: false, traceparent });
    const response = await this.#succeed(answer, parameters, options);
    const { text } = await this.#textOf(response, cancellation);
    if (text.trim() !== '') {
      const errorBody = toErrorBody(text);
      throw errorBody === undefined
        ? notAsAsked('the empty answer of an upload')
        : classifyErrorBody(errorBody);
    }
    if (!body.isSent) throw new UpstreamInvalidError('REDCap answered before it had the whole file.');
  }

  close(): void {
    this.#ownAgent?.destroy();
  }

  #named(parameters: WireParameters): WireParameters {
    return { token: this.#token.reveal(), ...parameters, returnFormat: 'json' };
  }

  #open(body: AnswerBody, form: ExportForm, { cancellation }: TransportCallOptions): Promise<AnswerStream> {
    const { clock, timeouts } = this.#target;
    return AnswerStream.open(body, { form, idleMs: timeouts.idleMs, clock, cancellation });
  }

  /** @throws {CrfError} the status is not a success */
  async #succeed(
    answer: Promise<IncomingMessage>,
    parameters: WireParameters,
    options: TransportCallOptions,
  ): Promise<IncomingMessage> {
    const response = await answer;
    if (!isSuccess(response)) throw (await this.#failureOf(response, parameters, options)).error;
    return response;
  }

  #post(
    parameters: WireParameters,
    { cancellation, isSafe = false, traceparent }: TransportCallOptions,
    target = this.#target,
  ): Promise<IncomingMessage> {
    const sent = this.#named(parameters);
    // Percent-encoding would nearly double the size of an import.
    const isMultipart = this.#importEncoding === 'multipart' && parameters['data'] !== undefined;
    const body = isMultipart ? new MultipartBody(sent) : new FormBody(sent);
    return exchange(target, body, { cancellation, isSafe, traceparent });
  }

  async #read(parameters: WireParameters, options: TransportCallOptions): Promise<ReadAnswer> {
    const response = await this.#post(parameters, options);
    if (!isSuccess(response)) {
      const failure = await this.#failureOf(response, parameters, options);
      if (failure.status === 400 && options.emptyIf?.test(failure.words)) return EMPTY_LIST;
      throw failure.error;
    }
    return this.#textOf(response, options.cancellation);
  }

  #failureOf(
    response: IncomingMessage,
    parameters: WireParameters,
    { cancellation }: TransportCallOptions,
  ): Promise<FailedAnswer> {
    return readFailure(response, parameters, { target: this.#target, cancellation });
  }

  async #textOf(response: IncomingMessage, cancellation: Cancellation | undefined): Promise<ReadAnswer> {
    const body = toTextBody(response);
    const text = await readText(body, {
      cancellation,
      idleMs: this.#target.timeouts.idleMs,
      clock: this.#target.clock,
      limitBytes: this.#maxAnswerBytes,
      onExcess: 'fail',
    });
    return { text, hasMarkedEnd: body.hasMarkedEnd };
  }
}

/** What a wire needs of a transport. */
export type Transport = Pick<RedcapTransport, 'text' | 'json' | 'stream' | 'download' | 'upload' | 'close'>;

/** The size of the pieces in which a large request is sent. */
const SEND_BUFFER_BYTES = 64 * 1024;
const NO_END =
  'The server in front of REDCap does not say where a file ends: one that breaks off would look whole. Let it send Content-Length, or chunks.';

/** A file whose beginning has been accepted. */
export interface Download extends FileHead {
  readonly body: AnswerStream;
}

interface ReadAnswer {
  readonly text: string;
  readonly hasMarkedEnd: boolean;
}

const EMPTY_LIST: ReadAnswer = { text: '[]', hasMarkedEnd: true };

function isSuccess({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode < 300;
}

const NAMELESS: FileHead = { name: '', contentType: 'application/octet-stream', length: undefined };
