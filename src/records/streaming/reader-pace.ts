import type { Writable } from 'node:stream';
import { ProblemError } from '../../domain/errors/problem-error.js';
import { SYSTEM_CLOCK, type Clock } from '../../gateways/redcap/resilience/clock.js';

/** Minimum speed at which a client must read an export or send a file. */
export interface ReaderPaceOptions {
  /** Minimum bytes per second; 0 for no minimum. */
  readonly minBytesPerSecond: number;
  /**
   * Period over which the speed is averaged. The default is 30 seconds, or the time in which the slowest allowed reader
   * reads 1 MiB if that is longer. Over a shorter period, bytes waiting in buffers would determine the result.
   */
  readonly averagedOverMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

/** Default minimum speed at which an export over HTTP must be read, in bytes per second. */
export const DEFAULT_MIN_BYTES_PER_SECOND = 16 * 1024;

/**
 * Destroys a sink whose reader is slower than the minimum. Only time in which the sink is full counts, because the
 * reader is not responsible for delays of REDCap or this service.
 *
 * @param bytesTaken returns the number of bytes sent to the reader so far
 * @returns a function that stops watching
 */
export function watchReader(
  sink: Writable,
  bytesTaken: () => number,
  options: ReaderPaceOptions,
): () => void {
  return watchPace(
    {
      isBehind: () => sink.writableNeedDrain,
      bytesTaken,
      onTooSlow: () => sink.destroy(new ProblemError('slow_reader')),
    },
    options,
  );
}

/** A client that reads from this service or sends to it. */
export interface PacedParty {
  /** Whether the service is currently waiting for this client. */
  readonly isBehind: () => boolean;
  /** The number of bytes it has read or sent so far. */
  readonly bytesTaken: () => number;
  readonly onTooSlow: () => void;
}

/**
 * Reports a client whose average speed is below the minimum. Only time in which the service waits for the client
 * counts.
 *
 * @returns a function that stops watching
 */
export function watchPace(
  { isBehind, bytesTaken, onTooSlow }: PacedParty,
  { minBytesPerSecond, averagedOverMs, clock = SYSTEM_CLOCK }: ReaderPaceOptions,
): () => void {
  if (minBytesPerSecond === 0) return () => undefined;
  const spanMs = averagedOverMs ?? Math.max(30_000, (MEBIBYTE / minBytesPerSecond) * 1000);
  let since = clock.now();
  let takenBefore = bytesTaken();

  const check = (): void => {
    const elapsedMs = clock.now() - since;
    const isWaiting = isBehind();
    if (isWaiting && elapsedMs < spanMs) return scheduleCheck();
    const taken = bytesTaken();
    if (isWaiting && taken - takenBefore < (minBytesPerSecond * elapsedMs) / 1000) return onTooSlow();
    since = clock.now();
    takenBefore = taken;
    scheduleCheck();
  };
  const scheduleCheck = (): void => {
    cancel = clock.schedule(spanMs / CHECKS_PER_SPAN, check);
  };
  let cancel: () => void = () => undefined;
  scheduleCheck();
  return () => cancel();
}

const MEBIBYTE = 1024 * 1024;
const CHECKS_PER_SPAN = 10;
