import { setTimeout as delay } from 'node:timers/promises';

/**
 * Runs the work and answers no sooner than the floor, whether it succeeds or fails: how long it took is not to be seen
 * from outside (AUTH-03).
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
