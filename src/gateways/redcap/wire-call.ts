import type { CallOptions, PartOptions } from './call-options.js';
import type { Cancellation } from './cancellation.js';
import type { Reading } from './readings.js';
import type { FileSource } from './request-body.js';
import type { WireParameters } from './wire-parameters.js';

/** Options of a call, from the caller and from the operation. */
export interface WireOptions extends CallOptions, PartOptions {
  /** Whether the call can be sent twice without side effects, like a read. No by default. */
  readonly isSafe?: boolean | undefined;
  /**
   * Whether the call is a write that has the same effect when it is made twice, so it may be retried. No by default.
   */
  readonly isRepeatable?: boolean | undefined;
  /** Whether the call only checks that REDCap responds. Such a call is not refused by a full minute. No by default. */
  readonly isProbe?: boolean | undefined;
}

/** One call of REDCap's API. */
export interface WireCall<Value> extends WireOptions {
  readonly parameters: WireParameters;
  /** A file that is sent after the parameters. It can be read only once, so the call is neither safe nor repeatable. */
  readonly file?: FileSource | undefined;
  /** Whether the parameters are a client's own, to which nothing is added but the token. No by default. */
  readonly isForwarded?: boolean | undefined;
  /** How the answer becomes a value. */
  readonly reading: Reading<Value>;
}

/** What the sender of a request needs beside the call itself. */
export interface Cancellable {
  /** Ends the call with an error. */
  readonly cancellation: Cancellation;
}

/** Makes a call. `Added` is what interceptors further out must have added to it. */
export type Send<Added = unknown> = <Value>(call: WireCall<Value> & Added) => Promise<Value>;

/** Does its part of a call, and passes the call on with `next`: once, several times, or not at all. */
export type Interceptor<Outer = unknown, Inner = Outer> = <Value>(
  call: WireCall<Value> & Outer,
  next: Send<Inner>,
) => Promise<Value>;

/** Returns a function that makes calls through an interceptor. */
export function wrap<Outer, Inner>(next: Send<Inner>, interceptor: Interceptor<Outer, Inner>): Send<Outer> {
  return (call) => interceptor(call, next);
}

/**
 * Calls back when an answer has been read: at once, except for a stream, which is read after its call has returned.
 *
 * @param onRead called with the error of a stream that broke off
 */
export function afterReading<Value>(
  { reading }: WireCall<Value>,
  value: Value,
  onRead: (error: Error | undefined) => void,
): void {
  const stream = reading.streamOf?.(value);
  const report = (): void => onRead(stream?.errored ?? undefined);
  // A stream that failed immediately may already be closed.
  if (stream === undefined || stream.closed) report();
  else stream.once('close', report);
}
