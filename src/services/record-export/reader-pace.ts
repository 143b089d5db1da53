import type { Writable } from 'node:stream';
import { SlowReaderError } from '../../errors/caller-errors.js';
import { SYSTEM_CLOCK, type Clock } from '../../gateways/redcap/resilience/clock.js';

/** How fast an export has to be read, and a file to be sent. */
export interface ReaderPaceOptions {
  /** Bytes a second; 0 for no floor. */
  readonly minBytesPerSecond: number;
  /**
   * What the pace is averaged over; by default half a minute, or as long as the slowest reader that is allowed needs for
   * 1 MiB: shorter, and what waits in buffers would decide.
   */
  readonly averagedOverMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

/** How fast an export over HTTP has to be read when nothing is said, in bytes a second. */
export const DEFAULT_MIN_BYTES_PER_SECOND = 16 * 1024;

/**
 * Destroys a sink whose reader takes less than the floor. Only time in which the sink is full counts: what REDCap or the
 * service takes is not the reader's fault.
 *
 * @param bytesTaken how many bytes have left for the reader so far
 * @returns stops watching
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
      onTooSlow: () => sink.destroy(new SlowReaderError()),
    },
    options,
  );
}

/** Somebody who reads from the service or sends to it. */
export interface PacedParty {
  /** Whether it is this party that everything waits for. */
  readonly isBehind: () => boolean;
  /** How many bytes it has read or sent so far. */
  readonly bytesTaken: () => number;
  readonly onTooSlow: () => void;
}

/**
 * Tells when somebody has been slower than the floor, averaged over a while. Only time in which everything waits for them
 * counts.
 *
 * @returns stops watching
 */
export function watchPace(
  { isBehind, bytesTaken, onTooSlow }: PacedParty,
  { minBytesPerSecond, averagedOverMs, clock = SYSTEM_CLOCK }: ReaderPaceOptions,
): () => void {
  if (minBytesPerSecond === 0) return () => undefined;
  const spanMs = averagedOverMs ?? Math.max(30_000, (MEBIBYTE / minBytesPerSecond) * 1000);
  let since = clock.now();
  let takenBefore = bytesTaken();

  const look = (): void => {
    const elapsedMs = clock.now() - since;
    const isWaitedFor = isBehind();
    if (isWaitedFor && elapsedMs < spanMs) return lookAgain();
    const taken = bytesTaken();
    if (isWaitedFor && taken - takenBefore < (minBytesPerSecond * elapsedMs) / 1000) return onTooSlow();
    since = clock.now();
    takenBefore = taken;
    lookAgain();
  };
  const lookAgain = (): void => {
    forget = clock.schedule(spanMs / LOOKS_PER_SPAN, look);
  };
  let forget: () => void = () => undefined;
  lookAgain();
  return () => forget();
}

const MEBIBYTE = 1024 * 1024;
const LOOKS_PER_SPAN = 10;
