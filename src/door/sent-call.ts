import type { Request } from 'express';
import { InvalidRequestError } from '../domain/errors/caller-errors.js';
import { ProblemError } from '../domain/errors/problem-error.js';
import { OverloadedError } from '../domain/errors/operator-errors.js';
import type { ForwardedCall } from '../gateways/redcap/crf-client.js';
import type { FileSource } from '../gateways/redcap/request-body.js';
import { watchPace, type ReaderPaceOptions } from '../records/streaming/reader-pace.js';
import { readForm, type Form, type SentFile } from '../wire/read-form.js';
import { Parameters } from '../wire/parameters.js';
import { networkOf } from '../http/middleware/limits/limits.js';
import { isOverride, type Pair } from './pairs.js';

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
          isBehind: () => request.readableLength < request.readableHighWaterMark,
          bytesTaken: () => bytes,
          onTooSlow: () => {
            // An answer that has begun has its headers; to set one would end the process.
            if (request.res?.headersSent === false) request.res.setHeader('Connection', 'close');
            reject(new ProblemError('request_timeout'));
          },
        },
        this.limits.pace,
      );
      // A call whose file nobody reads does not end.
      for (const stream of [request, request.res]) stream?.once('close', stopWatching);
      request.once('end', stopWatching);
    });
    slow.catch(() => undefined);
    const network = networkOf(request);
    const hold = (length: number): boolean => {
      held += length;
      const ofNetwork = (this.#held.get(network) ?? 0) + length;
      if (ofNetwork === 0) this.#held.delete(network);
      else this.#held.set(network, ofNetwork);
      const all = [...this.#held.values()].reduce((sum, each) => sum + each, 0);
      return all <= CALLS_AT_ONCE * limitBytes && ofNetwork <= (CALLS_AT_ONCE / 2) * limitBytes;
    };
    request.res?.once('close', () => hold(-held));
    const onText = (length: number): void => {
      const isWithin = hold(length);
      if (held > limitBytes) throw new ProblemError('payload_too_large', { limitBytes });
      if (!isWithin) throw new OverloadedError({ retryAfterSeconds: 5 });
    };
    const form = readForm(request, onText).then(async (sent) => {
      const file = sent.file && (await HeldFile.read(sent.file, sent.entries, hold));
      // PHP reads a form that cannot be read as none.
      return new SentCall(file === null ? [] : sent.entries, file ?? undefined, this.limits.fileBytes);
    });
    return Promise.race([form, slow]);
  }
}

/** What is held of a file after its token at most: some clients send its place after it. */
const HELD_FILE_BYTES = 16 * 1024 * 1024;

/** A file whose beginning is held until the form has ended, unless it is large. */
class HeldFile {
  private constructor(
    private readonly file: SentFile,
    private readonly held: readonly Buffer[],
    /** In bytes; undefined if it has not ended yet. */
    private readonly length: number | undefined,
  ) {}

  /**
   * @param hold is told how many bytes more are held, and says whether there may be more
   * @returns null if the form cannot be read
   */
  static read(
    file: SentFile,
    entries: Form['entries'],
    hold: (length: number) => boolean,
  ): Promise<HeldFile | null> {
    const hasToken = entries.some(([name]) => name === 'token');
    const held: Buffer[] = [];
    let length = 0;
    return new Promise((resolve) => {
      const stop = (isWhole: boolean): void => {
        file.bytes.off('data', take).pause();
        resolve(new HeldFile(file, held, isWhole ? length : undefined));
      };
      const take = (chunk: Buffer): void => {
        held.push(chunk);
        length += chunk.length;
        if (!hold(chunk.length) || (hasToken && length >= HELD_FILE_BYTES)) stop(false);
      };
      file.bytes
        .on('data', take)
        .once('end', () => stop(true))
        .once('error', () => resolve(null));
    });
  }

  /**
   * The file as it is sent on. One control character in its name would be another header.
   *
   * @param check is called with the number of bytes so far, and at the end, and may throw
   */
  source(check: (length: number) => void): FileSource {
    const { name, type } = this.file;
    const bytes = this.#bytes(check);
    return {
      name: name.replace(/\p{Cc}/gu, '_'),
      contentType: type,
      length: this.length,
      bytes,
      mayBeEmpty: true,
    };
  }

  async *#bytes(check: (length: number) => void): AsyncGenerator<Uint8Array> {
    let length = 0;
    for (const chunk of this.held) {
      check((length += chunk.length));
      yield chunk;
    }
    if (this.length !== undefined) return;
    for await (const chunk of this.file.bytes as AsyncIterable<Buffer>) {
      check((length += chunk.length));
      yield chunk;
    }
    check(length);
  }

  /** Reads what is left of the file, so that its sender gets the answer. */
  discard(): void {
    this.file.bytes.resume();
  }
}

/** A call of REDCap's API as it was sent. */
export class SentCall {
  readonly parameters: Parameters;
  readonly #entries: Form['entries'];
  readonly #known: number;

  /** @param entries to which those after a large file are added while it arrives */
  constructor(
    private readonly entries: Form['entries'],
    private readonly held: HeldFile | undefined,
    private readonly fileBytes: number,
  ) {
    this.#known = entries.length;
    this.#entries = entries.filter(([name]) => NAME.test(name));
    this.parameters = new Parameters(this.#entries);
  }

  /** The file, whose bytes fail if there are too many of them. */
  get file(): FileSource | undefined {
    return this.held?.source((length) => {
      if (length > this.fileBytes)
        throw new ProblemError('payload_too_large', { limitBytes: this.fileBytes });
      const late = this.entries.slice(this.#known);
      if (late.some(([name]) => !/^(return)?format$/i.test(name)))
        throw new InvalidRequestError([
          { field: 'file', message: 'must come after the parameters if it is large' },
        ]);
    });
  }

  discard(): void {
    this.held?.discard();
  }

  /**
   * Returns the call as REDCap gets it, without the token: the one whose scopes were checked. What it is about is said
   * first and in full, so that nothing else can decide it: no data of an export, and no `override` that is not clear. Of two
   * with one name the last one counts, and stands where it was sent.
   */
  forwarded({ content, action, isRead }: Pair): ForwardedCall {
    const hasAction = this.parameters.has('action') || action === 'import';
    const parameters: Record<string, string> = { content, ...(hasAction && { action }) };
    const omitted = new Set(['token', 'content', 'action']);
    if (action !== 'import') omitted.add('data');
    if (!isOverride(this.parameters)) omitted.add('override');
    const next = new Map<string, number>();
    for (const [name, value] of this.#entries) {
      const [, base = '', index] = NAME.exec(name) ?? [];
      if (omitted.has(base)) continue;
      const at = next.get(base) ?? 0;
      if (index === '' || /^\d{1,9}$/.test(index ?? ''))
        next.set(base, Math.max(at, Number(index === '' ? at : index) + 1));
      const sent = index === '' ? `${base}[${at}]` : name;
      delete parameters[sent];
      parameters[sent] = value;
    }
    return { parameters, file: this.file, isRead };
  }
}

/** REDCap's server, PHP, reads other names as these: ` token` and `to.ken`. They are left out. */
const NAME = /^([A-Za-z_]\w{0,99})(?:\[(\w{0,100})\])?$/;
