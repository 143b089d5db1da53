import { setTimeout as delay } from 'node:timers/promises';

/**
 * Runs the work and settles no sooner than the minimum time, whether it succeeds or fails, so that its duration cannot
 * be observed from outside (AUTH-03).
 */
export async function atLeast<Result>(
  floorMs: number,
  work: () => Promise<Result>,
  wait: (milliseconds: number) => Promise<unknown> = delay,
): Promise<Result> {
  const floor = wait(floorMs);
  try {
    return await work();
  } finally {
    await floor;
  }
}
