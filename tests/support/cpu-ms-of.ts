/**
 * @returns the CPU time of some work in milliseconds, which does not depend on the load of the machine as elapsed time
 * does
 */
export function cpuMsOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** The same of work that takes several turns of the event loop. */
export async function cpuMsWhile(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
