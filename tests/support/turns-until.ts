/** Counts the turns of the event loop until a promise settles. Work without waiting takes few turns on any machine. */
export async function turnsUntil(promise: Promise<unknown>): Promise<number> {
  let isSettled = false;
  const settle = (): void => void (isSettled = true);
  promise.then(settle, settle);
  for (let turns = 0; ; turns += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    if (isSettled) return turns;
  }
}
