import type { Request } from 'express';
import { PassThrough, type Readable } from 'node:stream';
import { ProblemError } from '../domain/errors/problem-error.js';
import { OverloadedError } from '../domain/errors/operator-errors.js';
import { heard } from '../domain/bytes/heard.js';
import type { ForwardedCall } from '../gateways/redcap/crf-client.js';
import type { WireParameters } from '../gateways/redcap/wire-parameters.js';
import { watchPace, type ReaderPaceOptions } from '../records/streaming/reader-pace.js';
import { readForm, type Form } from '../wire/read-form.js';
import { Parameters } from '../wire/parameters.js';
import { networkOf } from '../http/middleware/limits/limits.js';
import type { Pair } from './pairs.js';

/** What a call may take. */
export interface CallLimits {
  /** The most bytes of a call without its file, which are held in memory; 64 MiB by default. */
  readonly textBytes?: number | undefined;
  /** The most bytes of a file. */
  readonly fileBytes: number;
  /** How slowly a call may arrive (OPS-03). */
  readonly pace: ReaderPaceOptions;
}

const DEFAULT_TEXT_BYTES = 64 * 1024 * 1024;
/**
 * How much the calls of a process hold of their texts at most, all together, in multiples of what one may have; those of one
 * network half of it, so that no stranger can take it all: who calls is known only when the token has been read.
 */
const CALLS_AT_ONCE = 4;

/** Reads calls of REDCap's API. What is not a file is held in memory, within the limits of one call and of all together. */
export class SentCalls {
  readonly #held = new Map<string, number>();
  readonly #textBytes: number;

  constructor(private readonly limits: CallLimits) {
    this.#textBytes = limits.textBytes ?? DEFAULT_TEXT_BYTES;
  }

  /**
   * Reads the form of a call, up to its file.
   *
   * @throws {ProblemError} `payload_too_large`: the form is too large
   * @throws {ProblemError} `request_timeout`: it arrives too slowly
   * @throws {OverloadedError} the calls of the process hold as much as they may
   */
  async read(request: Request): Promise<SentCall> {
    const limitBytes = this.#textBytes;
    let [bytes, held] = [0, 0];
    request.on('data', (chunk: Buffer) => (bytes += chunk.length));
    const slow = new Promise<never>((_resolve, reject) => {
      const stopWatching = watchPace(
        {
          isBehind: () => !request.isPaused(),
          bytesTaken: () => bytes,
          onTooSlow: () => {
            reject(new ProblemError('request_timeout'));
            request.destroy();
          },
        },
        this.limits.pace,
      );
      for (const event of ['end', 'close'] as const) request.once(event, stopWatching);
    });
    slow.catch(() => undefined);
    const network = networkOf(request);
    const hold = (length: number): number => {
      held += length;
      const ofNetwork = (this.#held.get(network) ?? 0) + length;
      if (ofNetwork === 0) this.#held.delete(network);
      else this.#held.set(network, ofNetwork);
      return ofNetwork;
    };
    request.res?.once('close', () => hold(-held));
    const onText = (length: number): void => {
      const ofNetwork = hold(length);
      const all = [...this.#held.values()].reduce((sum, each) => sum + each, 0);
      if (held > limitBytes) throw new ProblemError('payload_too_large', { limitBytes });
      if (all > CALLS_AT_ONCE * limitBytes || ofNetwork > (CALLS_AT_ONCE / 2) * limitBytes)
        throw new OverloadedError({ retryAfterSeconds: 5 });
    };
    const form = await Promise.race([readForm(request, onText), slow]);
    return new SentCall(form, this.limits.fileBytes);
  }
}

/** A call of REDCap's API as it was sent. */
export class SentCall {
  readonly parameters: Parameters;

  constructor(
    private readonly form: Form,
    private readonly fileBytes: number,
  ) {
    this.parameters = new Parameters(form.entries);
  }

  /** The file, whose bytes fail if there are too many of them. */
  get file(): { readonly name: string; readonly contentType: string; readonly bytes: Readable } | undefined {
    const { file } = this.form;
    if (file === undefined) return undefined;
    return { name: file.name, contentType: file.type, bytes: limited(file.bytes, this.fileBytes) };
  }

  /** Discards the file, so that its sender gets the answer. */
  discard(): void {
    this.form.file?.bytes.resume();
  }

  /**
   * Returns the call as REDCap gets it, without the token. REDCap's server, PHP, reads some names as others: ` token` and
   * `to.ken`. They are left out, as are data that no import has, so that it is the call whose scopes were checked.
   */
  forwarded({ action, isRead }: Pair): ForwardedCall {
    const { entries } = this.form;
    const before = entries.length;
    const parameters = toParameters(entries, action);
    const { file } = this;
    // Of what comes after the file, nothing may say what the call is about: that has been checked.
    const after = () =>
      toParameters(
        entries.slice(before).filter(([name]) => /^(return)?format$/i.test(name)),
        action,
      );
    return { parameters, file: file && { ...file, after }, isRead };
  }
}

function toParameters(entries: Form['entries'], action: string): WireParameters {
  const parameters: Record<string, string | string[]> = {};
  for (const [name, value] of entries) {
    const [, base = ''] = NAME.exec(name) ?? [];
    if (base === '' || base === 'token' || (base === 'data' && action !== 'import')) continue;
    const key = name.endsWith('[]') ? base : name;
    const known = parameters[key];
    // Of several with one name the last one counts, in its place.
    delete parameters[key];
    parameters[key] = key === name ? value : [...(Array.isArray(known) ? known : []), value];
  }
  return parameters;
}

const NAME = /^([A-Za-z_]\w{0,99})(?:\[\w{0,100}\])*$/;

function limited(bytes: Readable, limitBytes: number): Readable {
  const passed = heard(new PassThrough());
  let length = 0;
  bytes.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > limitBytes) bytes.destroy(new ProblemError('payload_too_large', { limitBytes }));
  });
  bytes.once('error', (error) => passed.destroy(error));
  return bytes.pipe(passed);
}
