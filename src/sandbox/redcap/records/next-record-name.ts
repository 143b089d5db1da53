import type { SandboxProject } from '../project.js';

/**
 * Returns the highest number among the record names plus one. Names that are not numbers are ignored. In a data access
 * group, the number follows the group's ID: `20-1`. (doc, client)
 *
 * @param group the unique name of the caller's group, or empty
 */
export function nextRecordName(project: SandboxProject, group = ''): string {
  const prefix = group === '' ? '' : `${project.group(group)?.id ?? 0}-`;
  const numbers = project.records.ids
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
    .filter((rest) => /^\d{1,15}$/.test(rest))
    .map(Number);
  return `${prefix}${numbers.reduce((greatest, number) => Math.max(greatest, number), 0) + 1}`;
}
