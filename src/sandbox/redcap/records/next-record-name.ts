import type { SandboxProject } from '../project.js';

/**
 * Returns the highest number among the record names plus one. Names that are not numbers are ignored. In a data access
 * group, the number follows the group's ID: `20-1`.
 *
 * @param group the unique name of the caller's group, or empty
 * @see docs/protocol/redcap.md 6.4 (doc, client)
 */
export function getNextRecordId(project: SandboxProject, group: string): string {
  return getNextRecordIds(project, group)(0);
}

/** Returns a function from 0, 1, 2 … to the names that follow each other from the next one on. */
export function getNextRecordIds(project: SandboxProject, group: string): (index: number) => string {
  const prefix = group === '' ? '' : `${project.group(group)?.id ?? 0}-`;
  // A name may have up to 100 digits, and a number in JavaScript keeps 15 of them.
  const greatest = project.records.ids
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
    .filter((rest) => /^\d+$/.test(rest))
    .map(BigInt)
    .reduce((most, number) => (number > most ? number : most), 0n);
  return (index) => `${prefix}${greatest + 1n + BigInt(index)}`;
}
