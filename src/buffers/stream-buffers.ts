import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { readonly type: 'minor' }) => unknown;

let exposed: Collect | undefined;
/** Set while the process wants its buffers collected. */
let collect: Collect | undefined;
let bytesSinceCollection = 0;

/**
 * From now on the buffers of streams are collected every 4 MiB. V8 alone lets some 32 MB of them lie before it looks:
 * each piece of a stream is a buffer outside of its heap, which it counts but little. Such a collection takes a third of a
 * millisecond, most of which comes back, as memory that is used again need not be asked of the system.
 *
 * For the whole process, so it is for the process to ask: the server and the command line do; a host of `createApp` need not.
 *
 * @returns ends it
 */
export function collectStreamBuffers(): () => void {
  exposed ??= exposedCollector();
  collect = exposed;
  return () => {
    collect = undefined;
  };
}

/** Counts a buffer of so many bytes that is soon garbage. */
export function countBuffer(bytes: number): void {
  bytesSinceCollection += bytes;
  if (bytesSinceCollection < COLLECT_EVERY_BYTES) return;
  bytesSinceCollection = 0;
  collect?.({ type: 'minor' });
}

/** V8 gives its collector to contexts that are made while the flag is set; a process that was started with it has it already. */
function exposedCollector(): Collect {
  if (globalThis.gc !== undefined) return globalThis.gc;
  setFlagsFromString('--expose-gc');
  try {
    return runInNewContext('gc') as Collect;
  } finally {
    setFlagsFromString('--no-expose-gc');
  }
}

const COLLECT_EVERY_BYTES = 4 * 1024 * 1024;
