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
